package io.surestate.server.log;

import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The state behind a {@link ReplicatedLog}. Called by the log's own thread, one call at a time. */
public interface LogConsumer {
    /** Takes the next committed entry; completes when it is applied. May block while too much waits. */
    CompletableFuture<AppliedEntry> committed(CommittedEntry entry);

    /** Another leader, another term, or leader work may begin. Must return at once. */
    void leadershipChanged(Leadership leadership);

    /**
     * Opens the state, from a snapshot folder or empty, in place of what was open before. Entries after the returned index will follow.
     *
     * @return index of the last entry in the state; 0 if none
     */
    long restore(Optional<Path> snapshotFolder);

    /** Writes everything applied so far into a folder that is not there yet, whole and durable; returns its position. */
    SnapshotPosition snapshot(Path newFolder);

    /** Closes the state until {@link #restore}; a snapshot is about to be installed. */
    void suspend();

    /** The log cannot go on; the server must stop. */
    void failed(Throwable cause);

    /** Where in the log a snapshot stands. */
    record SnapshotPosition(long term, long index) {
        /** Nothing could be written. */
        public static final SnapshotPosition NONE = new SnapshotPosition(0, 0);
    }
}
