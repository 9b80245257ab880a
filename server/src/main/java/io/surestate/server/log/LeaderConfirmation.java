package io.surestate.server.log;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Confirms that a leader still leads: a majority, itself included, says that its term is the leader's. Who votes for another leader moves
 * to a later term first, so whoever was elected later was elected after this began. The read-index argument is that of the Raft
 * dissertation, section 6.4, with a term in place of a heartbeat.
 */
public final class LeaderConfirmation {
    private LeaderConfirmation() {}

    /** Completes once a majority of {@code others} plus the asking server is of this term; fails once that cannot be any more. */
    public static CompletableFuture<Void> ask(long term, List<String> others, Peers peers) {
        CompletableFuture<Void> confirmed = new CompletableFuture<>();
        int members = others.size() + 1;
        int votesNeeded = members / 2;
        if (votesNeeded == 0) {
            confirmed.complete(null);
            return confirmed;
        }
        AtomicInteger votes = new AtomicInteger();
        AtomicInteger refusals = new AtomicInteger();
        for (String other : others) {
            peers.term(other).whenComplete((seen, failure) -> {
                if (failure == null && seen == term) {
                    if (votes.incrementAndGet() == votesNeeded) {
                        confirmed.complete(null);
                    }
                } else if (refusals.incrementAndGet() > others.size() - votesNeeded) {
                    confirmed.completeExceptionally(
                            ProposalFailedException.rejected("no majority confirms term " + term));
                }
            });
        }
        return confirmed;
    }
}
