package io.surestate.server.leader;

import io.surestate.api.v1.NodeState;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Tick;
import io.surestate.server.apply.Views;
import io.surestate.server.commit.ClusterClock;
import io.surestate.server.commit.GroupCommit;
import io.surestate.statemachine.ledger.Drains;
import io.surestate.statemachine.state.ClusterState;
import java.util.OptionalLong;

/**
 * Makes time pass in the log: a Tick when something expires, and, while a freeze runs, a hold stands, a drain has a deadline, a device is on probation, a node is suspected or a job
 * waits out its backoff, a mark each second, so that whoever leads next starts at most that far behind. Idle clusters write nothing.
 */
public final class Deadlines implements LeaderDuty {
    private static final long MARK_MILLIS = 1_000;
    /** Each tick forgets a bounded number of outcomes; under load they expire by thousands a second. */
    private static final long TICK_MILLIS = 100;

    private static final int BACKOFFS_LOOKED_AT = 100;

    private final Views views;
    private final ClusterClock clock;
    private final GroupCommit commit;
    private final Proposals proposals;
    private boolean inFlight;
    private long lastTickMillis;

    public Deadlines(LeaderEnvironment at, GroupCommit commit) {
        this.views = at.views();
        this.clock = at.clock();
        this.proposals = at.proposals();
        this.commit = commit;
    }

    @Override
    public void begin(long term) {
        inFlight = false;
        lastTickMillis = 0;
    }

    @Override
    public void poll() {
        ClusterState state = views.newest().state();
        long now = clock.millis();
        if (inFlight || !state.initialised()) {
            return;
        }
        if (now - lastTickMillis >= TICK_MILLIS && anyDue(state, now)) {
            inFlight = true;
            lastTickMillis = now;
            proposals.propose(
                    Envelope.newBuilder().setTick(Tick.getDefaultInstance()), (outcome, failure) -> inFlight = false);
        } else if (now - state.meta().getTimeMillis() >= MARK_MILLIS && deadlinePending(state, now)) {
            inFlight = true;
            long term = proposals.term();
            commit.markTime().whenComplete((revision, failure) -> markDone(term));
        }
    }

    private static boolean anyDue(ClusterState state, long now) {
        return isDue(state.earliestExpiryMillis(), now)
                || isDue(state.earliestHoldMillis(), now)
                || Drains.anyDue(state, now)
                || state.nodesOnProbation().stream().anyMatch(entry -> entry.probationEndsMillis() <= now);
    }

    private static boolean isDue(OptionalLong deadline, long now) {
        return deadline.isPresent() && deadline.getAsLong() <= now;
    }

    private void markDone(long term) {
        proposals.onLoop(() -> {
            if (term == proposals.term()) {
                inFlight = false;
            }
        });
    }

    private static boolean deadlinePending(ClusterState state, long now) {
        boolean backoff = state.pending().stream()
                .limit(BACKOFFS_LOOKED_AT)
                .flatMap(pending -> state.job(pending.uid()).stream())
                .anyMatch(entry -> entry.job().getStatus().getNotBeforeMillis() > now);
        return backoff
                || state.meta().getFrozenUntilMillis() > now
                || state.standingHolds() > 0
                || Drains.anyPending(state, now)
                || !state.nodesOnProbation().isEmpty()
                || state.nodes().stream()
                        .anyMatch(entry -> entry.node().getStatus().getState() == NodeState.NODE_STATE_SUSPECTED);
    }

    @Override
    public void end() {
        inFlight = false;
    }
}
