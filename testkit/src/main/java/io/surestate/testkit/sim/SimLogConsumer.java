package io.surestate.testkit.sim;

import io.surestate.server.log.Leadership;
import io.surestate.server.log.LogConsumer;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Tells after each entry that there is something to apply, and before each install that one begins. */
record SimLogConsumer(LogConsumer consumer, Runnable handed, Runnable installing) implements LogConsumer {
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
        return consumer.restore(snapshotFolder);
    }

    @Override
    public SnapshotPosition snapshot(Path newFolder) {
        return consumer.snapshot(newFolder);
    }

    @Override
    public void suspend() {
        installing.run();
        consumer.suspend();
    }

    @Override
    public void failed(Throwable cause) {
        consumer.failed(cause);
    }
}
