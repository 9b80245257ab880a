package io.surestate.testkit.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.log.v1.LogEntry;
import io.surestate.server.log.ProposalFailedException;
import io.surestate.statemachine.AppliedEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the oracle does when not everything arrives; without faults see the contract. */
class LogOracleTest {
    private final Cuts network = new Cuts();
    private final LogOracle oracle = new LogOracle(LogGroup.IDS, network, 0);
    private final Map<String, RecordingConsumer> states = new HashMap<>();
    private final Map<String, OracleLog> logs = new HashMap<>();

    @TempDir
    private Path folder;

    /** Delivers at once, or not at all. */
    private static final class Cuts implements Network {
        private final Set<String> isolated = new TreeSet<>();

        @Override
        public void send(String from, String to, Runnable arrival, Runnable lost) {
            (connected(from, to) ? arrival : lost).run();
        }

        @Override
        public boolean connected(String one, String other) {
            return !isolated.contains(one) && !isolated.contains(other);
        }
    }

    @BeforeEach
    void startAll() {
        LogGroup.IDS.forEach(this::start);
        oracle.elect("s1");
    }

    private void start(String id) {
        RecordingConsumer state = new RecordingConsumer();
        states.put(id, state);
        OracleLog log = oracle.open(id, state);
        logs.put(id, log);
        log.start();
    }

    private OracleLog log(String id) {
        return Optional.ofNullable(logs.get(id)).orElseThrow();
    }

    private RecordingConsumer state(String id) {
        return Optional.ofNullable(states.get(id)).orElseThrow();
    }

    private CompletableFuture<AppliedEntry> propose(String id, long content) {
        return log(id).propose(LogEntry.newBuilder().setTimeMillis(content).build());
    }

    private static boolean unknown(CompletableFuture<?> answer) {
        List<Boolean> seen = new ArrayList<>();
        answer.exceptionally(failure -> {
            seen.add(failure instanceof ProposalFailedException failed && failed.outcomeUnknown());
            return null;
        });
        return seen.equals(List.of(true));
    }

    @Test
    void aReplacedLeaderThatHeardNothingStillThinksItLeadsAndConfirmsNothing() {
        network.isolated.add("s1");
        assertThat(oracle.elect("s2")).isTrue();
        assertThat(log("s1").leadership().leading()).isTrue();
        assertThat(log("s1").readIndex()).isCompletedExceptionally();
        CompletableFuture<AppliedEntry> lost = propose("s1", 1);
        assertThat(lost).isNotDone();
        propose("s2", 2);
        network.isolated.clear();
        oracle.heartbeat();
        assertThat(unknown(lost)).isTrue();
        assertThat(log("s1").leadership().leading()).isFalse();
        assertThat(state("s1").contents()).containsExactly(2L);
        assertThat(log("s1").readIndex()).isCompleted();
    }

    @Test
    void aTailThatReachedTheNextLeaderIsKept() {
        network.isolated.addAll(Set.of("s2", "s3"));
        CompletableFuture<AppliedEntry> open = propose("s1", 1);
        network.isolated.clear();
        network.isolated.add("s3");
        oracle.heartbeat();
        assertThat(open).isCompleted();
        network.isolated.clear();
        network.isolated.add("s1");
        assertThat(oracle.elect("s3")).isFalse();
        assertThat(oracle.elect("s2")).isTrue();
        assertThat(state("s3").contents()).containsExactly(1L);
    }

    @Test
    void withoutAMajorityNobodyIsElectedAndNothingIsCommitted() {
        oracle.crash("s2");
        oracle.crash("s3");
        assertThat(oracle.elect("s1")).isFalse();
        assertThat(propose("s1", 1)).isNotDone();
        assertThat(state("s1").contents()).isEmpty();
        start("s2");
        oracle.heartbeat();
        assertThat(state("s2").contents()).containsExactly(1L);
    }

    @Test
    void aMemberFarBehindInstallsTheSnapshotAndGetsTheRest() {
        network.isolated.add("s3");
        for (long content = 1; content <= 10; content++) {
            propose("s1", content);
        }
        assertThat(oracle.snapshot("s1", folder.resolve("snapshot"))).isTrue();
        propose("s1", 11);
        network.isolated.clear();
        oracle.heartbeat();
        assertThat(state("s3").contents()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
        assertThat(state("s3").restoredAt()).isEqualTo(11);
        assertThat(state("s3").handedSinceRestore()).containsExactly(12L);
    }

    @Test
    void aCrashedMembersLogAnswersNothingMore() {
        OracleLog before = log("s1");
        oracle.crash("s1");
        start("s1");
        assertThat(before.propose(LogEntry.getDefaultInstance())).isCompletedExceptionally();
        assertThat(before.readIndex()).isCompletedExceptionally();
        assertThat(before.leadership().leading()).isFalse();
    }
}
