package io.surestate.statemachine.cluster;

import io.surestate.api.Limits;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.FreezeCluster;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.node.Leases;
import io.surestate.statemachine.state.Change;

/** Stretches leases for planned work, and ends that. What was granted once is remembered as long as it may last. */
public final class FreezeHandler {
    public Outcome freeze(Draft draft, FreezeCluster command) {
        long length = command.getForMillis();
        if (length < Limits.FREEZE_MILLIS_MIN || length > Limits.FREEZE_MILLIS_MAX) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                    "for",
                    Long.toString(length),
                    Limits.FREEZE_MILLIS_MIN + " to " + Limits.FREEZE_MILLIS_MAX + " milliseconds");
        }
        ClusterMeta meta = draft.state().meta();
        long reach = Leases.reachMillis(draft.timeMillis(), length);
        return put(
                draft,
                meta.toBuilder()
                        .setFrozenUntilMillis(draft.timeMillis() + length)
                        .setLeasesReachMillis(Math.max(meta.getLeasesReachMillis(), reach)));
    }

    /** Without a freeze it changes nothing. */
    public Outcome unfreeze(Draft draft) {
        return put(draft, draft.state().meta().toBuilder().setFrozenUntilMillis(0));
    }

    private static Outcome put(Draft draft, ClusterMeta.Builder meta) {
        ClusterMeta done = meta.build();
        draft.add(new Change.MetaPut(done));
        return Outcomes.meta(done);
    }
}
