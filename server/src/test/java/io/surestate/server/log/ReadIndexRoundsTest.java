package io.surestate.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReadIndexRoundsTest {
    private final List<CompletableFuture<Long>> begun = new ArrayList<>();
    private final ReadIndexRounds rounds = new ReadIndexRounds(() -> {
        CompletableFuture<Long> round = new CompletableFuture<>();
        begun.add(round);
        return round;
    });

    @Test
    void aRoundThatBeganBeforeTheCallDoesNotServeIt() {
        CompletableFuture<Long> first = rounds.next();
        CompletableFuture<Long> second = rounds.next();
        begun.get(0).complete(10L);
        assertThat(first).isCompletedWithValue(10L);
        assertThat(second).isNotDone();
        begun.get(1).complete(20L);
        assertThat(second).isCompletedWithValue(20L);
    }

    @Test
    void allWhoWaitShareTheNextRound() {
        CompletableFuture<Long> first = rounds.next();
        List<CompletableFuture<Long>> waiting = List.of(rounds.next(), rounds.next(), rounds.next());
        begun.get(0).complete(1L);
        begun.get(1).complete(2L);
        assertThat(first).isCompletedWithValue(1L);
        assertThat(waiting).allSatisfy(one -> assertThat(one).isCompletedWithValue(2L));
        assertThat(begun).hasSize(2);
    }

    @Test
    void aFailedRoundFailsOnlyThoseThatItServed() {
        CompletableFuture<Long> first = rounds.next();
        CompletableFuture<Long> second = rounds.next();
        begun.get(0).completeExceptionally(ProposalFailedException.rejected("no majority"));
        assertThat(first).isCompletedExceptionally();
        begun.get(1).complete(2L);
        assertThat(second).isCompletedWithValue(2L);
        assertThat(rounds.next()).isNotDone();
        assertThat(begun).hasSize(3);
    }
}
