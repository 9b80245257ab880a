package io.surestate.statemachine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LogEntry;
import io.surestate.log.v1.SnapshotManifest;
import io.surestate.statemachine.decision.FeatureLevels;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import io.surestate.statemachine.history.HistoryReader;
import io.surestate.statemachine.row.CorruptStateException;
import io.surestate.statemachine.store.Family;
import io.surestate.statemachine.store.InMemoryStateStore;
import io.surestate.statemachine.store.RocksStateStore;
import io.surestate.statemachine.store.SnapshotFolder;
import io.surestate.statemachine.store.StateStore;
import io.surestate.statemachine.store.StoreBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateEngineTest {
    @TempDir
    Path folder;

    @Test
    void entriesAppliedBeforeAreSkippedAndTellNoOutcome() {
        try (TestCluster cluster = TestCluster.with()) {
            Envelope request =
                    Commands.request("r1", cluster.timeMillis() + 1_000, Commands.submit("train", Commands.gang(1)));
            cluster.run(request);
            long revision = cluster.state().revision();
            String digest = cluster.engine().digest(0).orElseThrow().getDigest();
            List<AppliedEntry> again = cluster.engine().apply(cluster.log());
            assertThat(again).hasSize(cluster.log().size());
            assertThat(again).allMatch(applied -> applied.outcomes().isEmpty());
            assertThat(again).allMatch(applied -> applied.changes().isEmpty());
            assertThat(cluster.state().revision()).isEqualTo(revision);
            assertThat(cluster.engine().digest(0).orElseThrow().getDigest()).isEqualTo(digest);
        }
    }

    @Test
    void anEntryOfTheLogItselfAdvancesRevisionAndTerm() {
        try (StateEngine engine = StateEngine.open(new InMemoryStateStore())) {
            AppliedEntry applied =
                    engine.apply(List.of(CommittedEntry.empty(3, 1))).get(0);
            assertThat(applied.revision()).isEqualTo(1);
            assertThat(engine.view().revision()).isEqualTo(1);
            assertThat(engine.view().term()).isEqualTo(3);
            assertThat(engine.digest(1)).isPresent();
        }
    }

    @Test
    void aReplicaRestoredFromACheckpointGoesOnWithEqualDigests() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Path snapshot = folder.resolve("snapshot");
            Path live = folder.resolve("live");
            try (StateEngine engine = StateEngine.open(RocksStateStore.open(folder.resolve("first")))) {
                run(cluster);
                engine.apply(cluster.log());
                SnapshotManifest manifest = engine.checkpoint(snapshot);
                assertThat(manifest.getIndex()).isEqualTo(cluster.log().size());
                assertThat(manifest.getClusterId()).isEqualTo(Commands.CLUSTER);
                assertThat(SnapshotFolder.verify(snapshot)).contains(manifest);
            }
            SnapshotFolder.link(snapshot, live);
            try (StateEngine engine = StateEngine.open(RocksStateStore.open(live))) {
                cluster.start("later", Commands.checkpointed(2));
                engine.apply(cluster.log());
                assertThat(engine.digest(0)).isEqualTo(cluster.engine().digest(0));
                assertThat(engine.oldestDigest()).isEqualTo(1);
                assertThat(engine.digest(2)).isEqualTo(cluster.engine().digest(2));
            }
        }
    }

    @Test
    void howEntriesAreGroupedDoesNotMatter() {
        try (TestCluster cluster = TestCluster.with("n1", "n2");
                StateEngine whole = StateEngine.open(new InMemoryStateStore())) {
            run(cluster);
            whole.apply(cluster.log());
            for (long revision = 1; revision <= cluster.log().size(); revision++) {
                assertThat(whole.digest(revision)).isEqualTo(cluster.engine().digest(revision));
            }
        }
    }

    @Test
    void aRowThatWasAlteredIsFoundOutAtTheStart() {
        InMemoryStateStore store = new InMemoryStateStore();
        StateEngine engine = StateEngine.open(store);
        engine.apply(List.of(entry(1, Commands.init()), entry(2, Commands.submit("train", Commands.gang(1)))));
        StoreBatch batch = new StoreBatch();
        store.scan(Family.LIVE, ByteString.EMPTY, ByteString.EMPTY, (key, value) -> {
            batch.delete(Family.LIVE, key);
            return false;
        });
        store.write(batch);
        assertThatThrownBy(() -> StateEngine.open(store)).isInstanceOf(CorruptStateException.class);
        engine.close();
    }

    @Test
    void aRestartDoesNotReadFinishedJobs() {
        InMemoryStateStore store = new InMemoryStateStore();
        StateEngine first = StateEngine.open(store);
        first.apply(List.of(entry(1, Commands.init())));
        long index = 1;
        for (int i = 0; i < 200; i++) {
            first.apply(List.of(
                    entry(++index, Commands.submit("job-" + i, Commands.gang(2))),
                    entry(++index, Commands.cancel("job-" + i))));
        }
        NoHistoryReads guarded = new NoHistoryReads(store);
        StateEngine second = StateEngine.open(guarded);
        assertThat(second.view().state().counts().liveJobs()).isZero();
        assertThat(second.view().state().meta().getFinishedJobs()).isEqualTo(200);
        assertThat(second.digest(0)).isEqualTo(first.digest(0));
        first.close();
    }

    @Test
    void historyIsReadAsItWasAtTheViewsRevision() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job a = cluster.submit("a", Commands.gang(1));
            cluster.run(Commands.cancel("a"));
            HistoryReader then = cluster.engine().view().history();
            Job b = cluster.submit("b", Commands.gang(1));
            cluster.run(Commands.cancel("b"));
            Job a2 = cluster.submit("a", Commands.gang(1));
            cluster.run(Commands.cancel("a"));
            HistoryReader now = cluster.engine().view().history();
            assertThat(then.jobsBefore("", 10)).extracting(Job::getUid).containsExactly(a.getUid());
            assertThat(then.latest("default", "a").orElseThrow().getUid()).isEqualTo(a.getUid());
            assertThat(then.job(b.getUid())).isEmpty();
            assertThat(then.events(b.getUid(), 0, 10)).isEmpty();
            assertThat(then.tasks(b.getUid(), TaskRef.getDefaultInstance(), 10)).isEmpty();
            assertThat(now.latest("default", "a").orElseThrow().getUid()).isEqualTo(a2.getUid());
            assertThat(now.jobsBefore("", 2)).extracting(Job::getUid).containsExactly(a2.getUid(), b.getUid());
            assertThat(now.jobsBefore(b.getUid(), 2)).extracting(Job::getUid).containsExactly(a.getUid());
            assertThat(now.latest("default", "none")).isEmpty();
        }
    }

    @Test
    void tasksAndEventsOfAJobArePaged() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(2));
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_FAILED);
            HistoryReader history = cluster.engine().view().history();
            assertThat(history.tasks(job.getUid(), TaskRef.getDefaultInstance(), 1))
                    .singleElement()
                    .matches(task -> task.getIndex() == 0);
            TaskRef first = TaskRef.newBuilder()
                    .setAttempt(1)
                    .setGroup("worker")
                    .setIndex(0)
                    .build();
            assertThat(history.tasks(job.getUid(), first, 5)).singleElement().matches(task -> task.getIndex() == 1);
            List<JobEvent> all = history.events(job.getUid(), 0, 100);
            assertThat(all).hasSize(cluster.job(job.getUid()).getStatus().getEvents());
            assertThat(history.events(job.getUid(), 2, 1)).containsExactly(all.get(2));
        }
    }

    @Test
    void aHandlerThatFailsRefusesItsCommandAndNothingElse() {
        List<String> faults = new ArrayList<>();
        CommandHandlers poisoned = (draft, envelope) -> {
            if (envelope.hasTick()) {
                draft.nextId();
                throw new IllegalStateException("poison");
            }
            return new StandardHandlers().decide(draft, envelope);
        };
        Core core = new Core(poisoned, (index, command, fault) -> faults.add(index + " " + command));
        try (StateEngine engine = StateEngine.open(new InMemoryStateStore(), core)) {
            engine.apply(List.of(entry(1, Commands.init())));
            Envelope tick = Commands.request("r1", Long.MAX_VALUE, Commands.tick());
            AppliedEntry applied = engine.apply(List.of(entry(2, tick, Commands.submit("train", Commands.gang(1)))))
                    .get(0);
            assertThat(applied.outcomes().get(0).getRejected().getCode()).isEqualTo(ErrorCode.ERROR_CODE_INTERNAL);
            assertThat(applied.outcomes().get(1).getJob().getUid()).endsWith("-000000");
            assertThat(engine.view().state().outcome(Commands.key("r1"))).isPresent();
            assertThat(faults).containsExactly("2 TICK");
        }
    }

    @Test
    void anErrorInAHandlerIsNotTakenForARefusal() {
        CommandHandlers broken = (draft, envelope) -> {
            throw new StackOverflowError();
        };
        Core core = new Core(broken, (index, command, fault) -> {});
        try (StateEngine engine = StateEngine.open(new InMemoryStateStore(), core)) {
            assertThatThrownBy(() -> engine.apply(List.of(entry(1, Commands.init()))))
                    .isInstanceOf(StackOverflowError.class);
            assertThat(engine.view().revision()).isZero();
        }
    }

    @Test
    void anEntryAboveTheKnownLevelStopsTheServer() {
        try (StateEngine engine = StateEngine.open(new InMemoryStateStore())) {
            LogEntry entry = LogEntry.newBuilder()
                    .setFeatureLevel(FeatureLevels.NEWEST + 1)
                    .build();
            assertThatThrownBy(() -> engine.apply(List.of(CommittedEntry.of(1, 1, entry))))
                    .isInstanceOf(UpgradeRequiredException.class)
                    .hasMessageContaining("upgrade this server");
            assertThat(engine.view().revision()).isZero();
        }
    }

    @Test
    void asManyDigestsAreKeptAsTheLimitSays() {
        InMemoryStateStore store = new InMemoryStateStore();
        StateEngine engine = StateEngine.open(store);
        List<CommittedEntry> entries = new ArrayList<>();
        for (int i = 1; i <= Limits.DIGESTS_KEPT + 10; i++) {
            entries.add(CommittedEntry.empty(1, i));
        }
        engine.apply(entries);
        assertThat(engine.oldestDigest()).isEqualTo(11);
        assertThat(engine.digest(10)).isEmpty();
        assertThat(engine.digest(11)).isPresent();
        assertThat(StateEngine.open(store).oldestDigest()).isEqualTo(11);
        engine.close();
    }

    private static void run(TestCluster cluster) {
        Job job = cluster.start("train", Commands.checkpointed(3));
        cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING, r -> r.setCheckpointStep(5));
        cluster.report(cluster.task(job.getUid(), 0), TaskState.TASK_STATE_FAILED);
        cluster.submit("waits", Commands.gang(1));
        cluster.run(Commands.request("r1", cluster.timeMillis() + 1_000, Commands.submit("other", Commands.gang(1))));
        cluster.run(Commands.cancel("other"));
    }

    private static CommittedEntry entry(long index, Envelope... commands) {
        return CommittedEntry.of(
                1,
                index,
                LogEntry.newBuilder()
                        .setFeatureLevel(1)
                        .setTimeMillis(1_000 + index)
                        .addAllCommands(List.of(commands))
                        .build());
    }

    /** Fails the test where history is read. */
    private record NoHistoryReads(StateStore store) implements StateStore {
        @Override
        public Optional<ByteString> get(Family family, ByteString key) {
            assertThat(family).isNotEqualTo(Family.HISTORY);
            return store.get(family, key);
        }

        @Override
        public void scan(Family family, ByteString prefix, ByteString from, RowVisitor visitor) {
            assertThat(family).isNotEqualTo(Family.HISTORY);
            store.scan(family, prefix, from, visitor);
        }

        @Override
        public void scanBack(Family family, ByteString prefix, ByteString before, RowVisitor visitor) {
            assertThat(family).isNotEqualTo(Family.HISTORY);
            store.scanBack(family, prefix, before, visitor);
        }

        @Override
        public void write(StoreBatch batch) {
            store.write(batch);
        }

        @Override
        public void checkpoint(Path target) {
            store.checkpoint(target);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
