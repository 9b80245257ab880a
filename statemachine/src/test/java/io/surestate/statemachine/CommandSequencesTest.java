package io.surestate.statemachine;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LogEntry;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.RandomCommands;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.Conservation;
import io.surestate.statemachine.store.InMemoryStateStore;
import io.surestate.statemachine.store.RocksStateStore;
import io.surestate.statemachine.store.SnapshotFolder;
import io.surestate.statemachine.store.StateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;

/**
 * Whatever commands come in whatever order: nothing is given twice or forgotten, no handler fails, and a replica that applies in
 * groups, and is restored from checkpoints in between, has the digest of one that never stopped, at every revision.
 */
class CommandSequencesTest {
    private static final int NUMBERS = 16 * 1_000;

    @Property(tries = 120, shrinking = ShrinkingMode.BOUNDED)
    void replicasAgreeInMemory(@ForAll @Size(60) List<@IntRange(max = NUMBERS) Integer> numbers) throws IOException {
        check(numbers, InMemoryStateStore::open, 20);
    }

    @Property(tries = 25, shrinking = ShrinkingMode.BOUNDED)
    void replicasAgreeOnDisk(@ForAll @Size(60) List<@IntRange(max = NUMBERS) Integer> numbers) throws IOException {
        check(numbers, RocksStateStore::open, 25);
    }

    private static void check(List<Integer> numbers, Function<Path, StateStore> stores, int restartEvery)
            throws IOException {
        Path folder = Files.createTempDirectory("sequences");
        FaultListener noFaults = (index, command, fault) -> {
            throw new AssertionError("entry " + index + " " + command, fault);
        };
        try (StateEngine steady = StateEngine.open(new InMemoryStateStore(), noFaults);
                Follower follower = new Follower(folder, stores)) {
            RandomCommands commands = new RandomCommands();
            run(steady, follower, commands, List.of(Commands.init()));
            for (int i = 0; i < 3; i++) {
                run(steady, follower, commands, List.of(Commands.register("n" + i)));
            }
            for (int i = 0; i < numbers.size(); i++) {
                ClusterState state = steady.view().state();
                run(steady, follower, commands, List.of(commands.next(state, numbers.get(i))));
                if (i % restartEvery == restartEvery - 1) {
                    follower.restart();
                }
            }
            Statistics.label("jobs finished")
                    .collect(Math.min(10, steady.view().state().meta().getFinishedJobs()));
            run(steady, follower, commands, commands.rest(steady.view().state()));
            run(steady, follower, commands, commands.boot(steady.view().state()));
            assertThat(steady.view().state().counts().liveJobs()).isZero();
            assertThat(steady.view().state().counts().allocations()).isZero();
            follower.catchUp();
            assertThat(follower.engine.digest(0)).isEqualTo(steady.digest(0));
        } finally {
            delete(folder);
        }
    }

    private static void run(StateEngine steady, Follower follower, RandomCommands commands, List<Envelope> envelopes) {
        long index = steady.view().revision() + 1;
        CommittedEntry entry = CommittedEntry.of(
                1,
                index,
                LogEntry.newBuilder()
                        .setFeatureLevel(1)
                        .setTimeMillis(commands.timeMillis())
                        .addAllCommands(envelopes)
                        .build());
        steady.apply(List.of(entry));
        assertThat(Conservation.problems(steady.view().state())).isEmpty();
        follower.take(entry);
        if (index % 4 == 0) {
            follower.catchUp();
            for (long revision = index - 3; revision <= index; revision++) {
                assertThat(follower.engine.digest(revision)).isEqualTo(steady.digest(revision));
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** A replica that lags, and starts from its newest checkpoint again and again. */
    private static final class Follower implements AutoCloseable {
        private final Path folder;
        private final Function<Path, StateStore> stores;
        private final List<CommittedEntry> log = new ArrayList<>();
        private int restarts;
        private StateEngine engine;

        Follower(Path folder, Function<Path, StateStore> stores) throws IOException {
            this.folder = folder;
            this.stores = stores;
            this.engine = StateEngine.open(stores.apply(Files.createDirectory(folder.resolve("live-0"))));
        }

        void take(CommittedEntry entry) {
            log.add(entry);
        }

        /** Sees entries again that it applied before. */
        void catchUp() {
            long done = engine.view().revision();
            engine.apply(List.copyOf(log.subList((int) Math.max(0, done - 2), log.size())));
        }

        void restart() {
            restarts++;
            Path snapshot = folder.resolve("snapshot-" + restarts);
            Path live = folder.resolve("live-" + restarts);
            engine.checkpoint(snapshot);
            engine.apply(log);
            engine.close();
            assertThat(SnapshotFolder.verify(snapshot)).isPresent();
            SnapshotFolder.link(snapshot, live);
            engine = StateEngine.open(stores.apply(live));
            assertThat(Conservation.problems(engine.view().state())).isEmpty();
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
