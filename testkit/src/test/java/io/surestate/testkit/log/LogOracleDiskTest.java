package io.surestate.testkit.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.log.v1.LogEntry;
import io.surestate.statemachine.AppliedEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is not on disk does not count, and may be gone after a crash. */
class LogOracleDiskTest {
    private final Disks disks = new Disks();
    private final LogOracle oracle = new LogOracle(LogGroup.IDS, Network.immediate(), disks, 0);
    private final Map<String, RecordingConsumer> states = new HashMap<>();
    private final Map<String, OracleLog> logs = new HashMap<>();

    /** Some force at once, the others when told; nothing unforced survives. */
    private static final class Disks implements Disk {
        private final Set<String> stalled = new HashSet<>();
        private final List<Runnable> waiting = new ArrayList<>();

        @Override
        public void force(String member, Runnable done) {
            if (stalled.contains(member)) {
                waiting.add(done);
            } else {
                done.run();
            }
        }

        @Override
        public long kept(long unforced) {
            return 0;
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

    private CompletableFuture<AppliedEntry> propose(long content) {
        return Optional.ofNullable(logs.get("s1"))
                .orElseThrow()
                .propose(LogEntry.newBuilder().setTimeMillis(content).build());
    }

    private List<Long> contents(String id) {
        return Optional.ofNullable(states.get(id)).orElseThrow().contents();
    }

    @Test
    void anEntryIsCommittedOnceAMajorityForcedIt() {
        disks.stalled.addAll(Set.of("s2", "s3"));
        CompletableFuture<AppliedEntry> answer = propose(1);
        assertThat(answer).isNotDone();
        disks.waiting.remove(0).run();
        assertThat(answer).isCompleted();
    }

    @Test
    void aLeaderDoesNotCountWhatItsOwnDiskHasNot() {
        disks.stalled.addAll(Set.of("s1", "s3"));
        CompletableFuture<AppliedEntry> answer = propose(1);
        assertThat(answer).isNotDone();
        disks.waiting.forEach(Runnable::run);
        assertThat(answer).isCompleted();
    }

    @Test
    void aCrashTakesWhatWasNotForcedAndNothingElse() {
        propose(1);
        disks.stalled.addAll(LogGroup.IDS);
        propose(2);
        LogGroup.IDS.forEach(oracle::crash);
        disks.waiting.forEach(Runnable::run);
        disks.stalled.clear();
        LogGroup.IDS.forEach(this::start);
        assertThat(oracle.elect("s1")).isTrue();
        propose(3);
        assertThat(contents("s2")).containsExactly(1L, 3L);
    }
}
