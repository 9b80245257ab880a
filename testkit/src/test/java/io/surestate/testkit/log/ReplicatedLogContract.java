package io.surestate.testkit.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.surestate.log.v1.LogEntry;
import io.surestate.server.log.ProposalFailedException;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.statemachine.AppliedEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every implementation of {@link ReplicatedLog} must do. */
abstract class ReplicatedLogContract {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    private Path folder;

    private final Set<String> stopped = new TreeSet<>();
    private LogGroup group;

    abstract LogGroup open(Path folder);

    @BeforeEach
    void openGroup() {
        group = open(folder);
        awaitLeader();
    }

    @AfterEach
    void nothingWentWrong() {
        LogGroup.IDS.forEach(id -> assertThat(group.state(id).problems()).as(id).isEmpty());
        group.close();
    }

    private String awaitLeader() {
        await().atMost(PATIENCE).until(() -> leader().isPresent());
        return leader().orElseThrow();
    }

    private Optional<String> leader() {
        return LogGroup.IDS.stream()
                .filter(id -> !stopped.contains(id))
                .filter(id -> group.log(id).leadership().ready())
                .findFirst();
    }

    private void stop(String id) {
        stopped.add(id);
        group.stop(id);
    }

    private void start(String id) {
        group.start(id);
        stopped.remove(id);
    }

    private static LogEntry entry(long content) {
        return LogEntry.newBuilder().setTimeMillis(content).build();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private void propose(long from, long to) throws Exception {
        ReplicatedLog log = group.log(awaitLeader());
        List<CompletableFuture<AppliedEntry>> answers = new ArrayList<>();
        for (long content = from; content <= to; content++) {
            answers.add(log.propose(entry(content)));
        }
        for (CompletableFuture<AppliedEntry> answer : answers) {
            get(answer);
        }
    }

    private void awaitEveryone(long from, long to) {
        List<Long> expected = LongStream.rangeClosed(from, to).boxed().toList();
        LogGroup.IDS.forEach(id -> await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(group.state(id).contents()).containsExactlyElementsOf(expected)));
    }

    @Test
    void everyMemberGetsEveryEntryOnceInOneOrder() throws Exception {
        propose(1, 60);
        awaitEveryone(1, 60);
    }

    @Test
    void aProposalCompletesWithTheEntryThatItsServerApplied() throws Exception {
        String leader = awaitLeader();
        AppliedEntry applied = get(group.log(leader).propose(entry(7)));
        assertThat(applied.timeMillis()).isEqualTo(7);
        assertThat(group.state(leader).contents()).contains(7L);
        assertThat(group.state(leader).index()).isGreaterThanOrEqualTo(applied.revision());
    }

    @Test
    void aFollowerRefusesWithAHintAndAppendsNothing() throws Exception {
        String leader = awaitLeader();
        String follower = LogGroup.IDS.stream()
                .filter(id -> !id.equals(leader))
                .findFirst()
                .orElseThrow();
        await().atMost(PATIENCE)
                .until(() -> group.log(follower).leadership().leaderId().equals(Optional.of(leader)));
        assertThatThrownBy(() -> get(group.log(follower).propose(entry(1))))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(ProposalFailedException.class, refused -> {
                    assertThat(refused.leaderId()).contains(leader);
                    assertThat(refused.outcomeUnknown()).isFalse();
                });
        propose(2, 2);
        awaitEveryone(2, 2);
    }

    @Test
    void aReadIndexOfAnyMemberCoversWhatWasAcknowledged() throws Exception {
        for (long content = 1; content <= 5; content++) {
            AppliedEntry acknowledged = get(group.log(awaitLeader()).propose(entry(content)));
            for (String id : LogGroup.IDS) {
                assertThat(get(group.log(id).readIndex())).as(id).isGreaterThanOrEqualTo(acknowledged.revision());
            }
        }
    }

    @Test
    void aRestartedMemberReplaysOnlyWhatItsSnapshotDoesNotHold() throws Exception {
        int entries = 3 * group.snapshotEveryEntries();
        propose(1, entries);
        awaitEveryone(1, entries);
        String restarted = LogGroup.IDS.stream()
                .filter(id -> !id.equals(leader().orElse("")))
                .findFirst()
                .orElseThrow();
        stop(restarted);
        propose(entries + 1L, entries + 5L);
        start(restarted);
        awaitEveryone(1, entries + 5L);
        long from = group.state(restarted).restoredAt();
        assertThat(from).isPositive();
        assertThat(group.state(restarted).handedSinceRestore())
                .isNotEmpty()
                .allSatisfy(index -> assertThat(index).isGreaterThan(from));
    }

    @Test
    void anotherMemberLeadsALaterTermWhenTheLeaderIsGoneAndNothingAcknowledgedIsLost() throws Exception {
        propose(1, 20);
        String first = awaitLeader();
        long term = group.log(first).leadership().term();
        stop(first);
        String second = awaitLeader();
        assertThat(second).isNotEqualTo(first);
        assertThat(group.log(second).leadership().term()).isGreaterThan(term);
        assertThat(group.log(second).currentTerm())
                .isEqualTo(group.log(second).leadership().term());
        propose(21, 30);
        start(first);
        awaitEveryone(1, 30);
    }

    @Test
    void theConsumerIsToldWhoLeads() {
        String leader = awaitLeader();
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(group.state(leader).lastLeadership())
                    .isEqualTo(group.log(leader).leadership());
            LogGroup.IDS.forEach(id ->
                    assertThat(group.log(id).leadership().leaderId()).as(id).contains(leader));
        });
        assertThat(LogGroup.IDS.stream().filter(id -> group.log(id).leadership().leading()))
                .hasSize(1);
    }

    @Test
    void withoutAMajorityNoReadIsConfirmed() {
        String leader = awaitLeader();
        LogGroup.IDS.stream().filter(id -> !id.equals(leader)).forEach(this::stop);
        assertThatThrownBy(() -> get(group.log(leader).readIndex()))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ProposalFailedException.class);
    }
}
