package io.surestate.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LeaderConfirmationTest {
    private final Map<String, CompletableFuture<Long>> answers = Map.of(
            "s2", new CompletableFuture<>(),
            "s3", new CompletableFuture<>(),
            "s4", new CompletableFuture<>(),
            "s5", new CompletableFuture<>());

    private final Peers peers = new Peers() {
        @Override
        public CompletableFuture<Long> term(String serverId) {
            return Optional.ofNullable(answers.get(serverId)).orElseThrow();
        }

        @Override
        public CompletableFuture<Long> readIndex(String serverId) {
            throw new UnsupportedOperationException(serverId);
        }
    };

    private void says(String server, long term) {
        Optional.ofNullable(answers.get(server)).orElseThrow().complete(term);
    }

    @Test
    void aLoneServerNeedsNobody() {
        assertThat(LeaderConfirmation.ask(3, List.of(), peers)).isCompleted();
    }

    @Test
    void oneOfTwoOthersIsEnough() {
        CompletableFuture<Void> confirmed = LeaderConfirmation.ask(3, List.of("s2", "s3"), peers);
        assertThat(confirmed).isNotDone();
        says("s3", 3);
        assertThat(confirmed).isCompleted();
    }

    @Test
    void aLaterTermRefutesAndAMajorityOfRefusalsFails() {
        CompletableFuture<Void> confirmed = LeaderConfirmation.ask(3, List.of("s2", "s3"), peers);
        says("s2", 4);
        assertThat(confirmed).isNotDone();
        says("s3", 4);
        assertThat(confirmed).isCompletedExceptionally();
    }

    @Test
    void anEarlierTermDoesNotConfirm() {
        CompletableFuture<Void> confirmed = LeaderConfirmation.ask(3, List.of("s2", "s3"), peers);
        says("s2", 2);
        says("s3", 2);
        assertThat(confirmed).isCompletedExceptionally();
    }

    @Test
    void ofFiveServersTwoOthersConfirmAndThreeRefusalsFail() {
        CompletableFuture<Void> confirmed = LeaderConfirmation.ask(7, List.of("s2", "s3", "s4", "s5"), peers);
        says("s2", 7);
        says("s3", 8);
        says("s4", 8);
        assertThat(confirmed).isNotDone();
        says("s5", 7);
        assertThat(confirmed).isCompleted();
        CompletableFuture<Void> refuted = LeaderConfirmation.ask(8, List.of("s2", "s3", "s4", "s5"), peers);
        assertThat(refuted).isCompleted();
        assertThat(LeaderConfirmation.ask(9, List.of("s2", "s3", "s4", "s5"), peers))
                .isCompletedExceptionally();
    }
}
