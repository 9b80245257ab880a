package io.surestate.server.log;

import io.surestate.log.v1.LogEntry;
import io.surestate.statemachine.AppliedEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An ordered log that a majority of servers agrees on. Thread-safe. Committed entries reach the {@link LogConsumer} of every server in
 * the same order, each at least once in the life of its state and never out of order.
 */
public interface ReplicatedLog extends AutoCloseable {
    /**
     * Appends an entry. Completes after this server applied it; fails with {@link ProposalFailedException}, which says whether the entry
     * may still take effect.
     */
    CompletableFuture<AppliedEntry> propose(LogEntry entry);

    /**
     * Confirms with a majority who leads, then completes with an index: a view at least that new sees everything that was acknowledged
     * before this call began. Works on any server; fails with {@link ProposalFailedException} without a quorum.
     */
    CompletableFuture<Long> readIndex();

    Leadership leadership();

    /** What this server knows of the others, itself included, ordered by id. */
    List<PeerState> peers();

    @Override
    void close();

    /**
     * A member of the group.
     *
     * @param reachable heard of lately; only meaningful where the asking server leads
     */
    record PeerState(String id, boolean reachable) {}
}
