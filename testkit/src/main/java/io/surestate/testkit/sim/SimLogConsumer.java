package io.surestate.testkit.sim;

import io.surestate.server.log.Leadership;
import io.surestate.server.log.LogConsumer;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Tells what comes to a server through its log: each entry, so that it is applied some time, and the steps of installs and snapshots, in
 * the middle of which a server may crash.
 */
record SimLogConsumer(LogConsumer consumer, Runnable handed, Consumer<Step> steps) implements LogConsumer {
    /** What was just done. */
    enum Step {
        /** The state was closed; the new one is not there yet. */
        INSTALL_BEGUN,
        /** A state was opened; the log does not know it yet. */
        RESTORED,
        /** A snapshot was written; the log does not know it yet. */
        SNAPSHOT_WRITTEN
    }

    @Override
    public CompletableFuture<AppliedEntry> committed(CommittedEntry entry) {
        CompletableFuture<AppliedEntry> applied = consumer.committed(entry);
        handed.run();
        return applied;
    }

    @Override
    public void leadershipChanged(Leadership leadership) {
        consumer.leadershipChanged(leadership);
    }

    @Override
    public long restore(Optional<Path> snapshotFolder) {
        long revision = consumer.restore(snapshotFolder);
        steps.accept(Step.RESTORED);
        return revision;
    }

    @Override
    public SnapshotPosition snapshot(Path newFolder) {
        SnapshotPosition position = consumer.snapshot(newFolder);
        steps.accept(Step.SNAPSHOT_WRITTEN);
        return position;
    }

    @Override
    public void suspend() {
        consumer.suspend();
        steps.accept(Step.INSTALL_BEGUN);
    }

    @Override
    public void failed(Throwable cause) {
        consumer.failed(cause);
    }
}
