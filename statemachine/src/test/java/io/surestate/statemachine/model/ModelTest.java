package io.surestate.statemachine.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LogEntry;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import io.surestate.statemachine.FaultListener;
import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.state.ClusterState;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;

/** Whatever commands come in whatever order, the core answers and ends up as the naive model does; restored in between all the time. */
class ModelTest {
    /** The same sequences in every build; another one, or none, plays others. */
    private static final String SEED = "20261130";

    private static final int NUMBERS = 1 << 20;
    private static final int COMPARE_EVERY = 5;
    private static final int CHECKPOINT_EVERY = 50;
    private static final List<String> KINDS = List.of(
            "CONFIRMED",
            "HOLD_OVER",
            "ILLEGAL_STATE",
            "REQUEST_ACKNOWLEDGED",
            "REQUEST_EXPIRED",
            "REQUEST_ID_REUSED",
            "REQUEST_SEALED",
            "STALE_EPOCH",
            "STANDING",
            "nominated",
            "plan committed",
            "plan refused",
            "released",
            "stale");

    @Property(tries = 900, seed = SEED, shrinking = ShrinkingMode.BOUNDED)
    void theCoreIsWhatTheModelIsInMemory(@ForAll @Size(200) List<@IntRange(max = NUMBERS) Integer> numbers)
            throws IOException {
        check(numbers, InMemoryStateStore::open, 40);
    }

    @Property(tries = 100, seed = SEED, shrinking = ShrinkingMode.BOUNDED)
    void theCoreIsWhatTheModelIsOnDisk(@ForAll @Size(200) List<@IntRange(max = NUMBERS) Integer> numbers)
            throws IOException {
        check(numbers, RocksStateStore::open, 90);
    }

    private static void check(List<Integer> numbers, Function<Path, StateStore> stores, int restoreEvery)
            throws IOException {
        Path folder = Files.createTempDirectory("model");
        TreeSet<String> seen = new TreeSet<>();
        boolean moved = false;
        try (Replica replica = new Replica(folder, stores)) {
            NaiveCluster model = new NaiveCluster();
            RandomLedgerCommands commands = new RandomLedgerCommands();
            replica.apply(0, List.of(Commands.init()));
            for (String node : RandomLedgerCommands.NODES) {
                step(replica, model, commands, Commands.register(Plans.accelerated(node, 2)));
            }
            for (int i = 0; i < numbers.size(); i++) {
                seen.add(kind(step(replica, model, commands, commands.next(replica.state(), numbers.get(i)))));
                moved |= model.state.jobs.values().stream().anyMatch(job -> job.moves > 0);
                if (i % COMPARE_EVERY == 0) {
                    assertThat(Words.of(replica.state())).isEqualTo(Words.of(model.state));
                }
                if (i % restoreEvery == restoreEvery - 1) {
                    replica.restore();
                }
            }
            assertThat(Words.of(replica.state())).isEqualTo(Words.of(model.state));
            collect(seen, model.state.finished > 0, moved);
        } finally {
            delete(folder);
        }
    }

    /** Answers of these kinds come up in a fair part of all sequences; otherwise the sequences would prove little. */
    private static void collect(Set<String> seen, boolean finished, boolean moved) {
        for (String kind : KINDS) {
            Statistics.label(kind)
                    .collect(seen.contains(kind))
                    .coverage(coverage -> coverage.check(true).percentage(percent -> percent > 2));
        }
        Statistics.label("jobs move")
                .collect(moved)
                .coverage(coverage -> coverage.check(true).percentage(percent -> percent > 10));
        Statistics.label("jobs finish")
                .collect(finished)
                .coverage(coverage -> coverage.check(true).percentage(percent -> percent > 50));
    }

    /** The answer without its ids and numbers. */
    private static String kind(String verdict) {
        String plan = verdict.replaceAll("plan \\[\\] .*", "plan refused")
                .replaceAll("plan \\[[^\\]]+\\].*", "plan committed");
        if (verdict.contains("NOMINATED")) {
            return "nominated";
        }
        return verdict.endsWith(" CONFIRMED") || verdict.endsWith(" STANDING")
                ? verdict.substring(verdict.lastIndexOf(' ') + 1)
                : plan.replaceAll(" .*[0-9\\]].*", "");
    }

    private static String step(Replica replica, NaiveCluster model, RandomLedgerCommands commands, Envelope command) {
        AppliedEntry applied = replica.apply(commands.timeMillis(), List.of(command));
        List<String> expected = model.apply(applied.revision(), commands.timeMillis(), List.of(command));
        assertThat(Words.of(applied.outcomes().get(0)))
                .as("entry " + applied.revision() + ": " + command)
                .isEqualTo(expected.get(0));
        return expected.get(0);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** One replica that is restored again and again: from its checkpoint, replaying what came after it. */
    private static final class Replica implements AutoCloseable {
        private final Path folder;
        private final Function<Path, StateStore> stores;
        private final List<CommittedEntry> log = new ArrayList<>();
        private int restores;
        private int checkpointed;
        private StateEngine engine;

        Replica(Path folder, Function<Path, StateStore> stores) throws IOException {
            this.folder = folder;
            this.stores = stores;
            this.engine = open(Files.createDirectory(folder.resolve("live-0")));
        }

        private StateEngine open(Path live) {
            FaultListener noFaults = (index, command, fault) -> {
                throw new AssertionError("entry " + index + " " + command, fault);
            };
            return StateEngine.open(stores.apply(live), noFaults);
        }

        ClusterState state() {
            return engine.view().state();
        }

        AppliedEntry apply(long timeMillis, List<Envelope> commands) {
            CommittedEntry entry = CommittedEntry.of(
                    1,
                    log.size() + 1L,
                    LogEntry.newBuilder()
                            .setFeatureLevel(1)
                            .setTimeMillis(timeMillis)
                            .addAllCommands(commands)
                            .build());
            log.add(entry);
            if (log.size() % CHECKPOINT_EVERY == 0) {
                checkpoint();
            }
            return engine.apply(List.of(entry)).get(0);
        }

        private void checkpoint() {
            checkpointed++;
            engine.checkpoint(folder.resolve("snapshot-" + checkpointed));
        }

        /** As a start after a crash, or an install: the newest checkpoint, then the log after it. */
        void restore() {
            var digest = engine.digest(0);
            engine.close();
            restores++;
            Path live = folder.resolve("live-" + restores);
            if (checkpointed > 0) {
                Path snapshot = folder.resolve("snapshot-" + checkpointed);
                assertThat(SnapshotFolder.verify(snapshot)).isPresent();
                SnapshotFolder.link(snapshot, live);
            }
            engine = open(live);
            engine.apply(log);
            assertThat(engine.digest(0)).isEqualTo(digest);
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
