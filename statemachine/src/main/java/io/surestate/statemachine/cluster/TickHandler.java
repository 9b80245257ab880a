package io.surestate.statemachine.cluster;

import io.surestate.api.Limits;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestKey;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.Change;

/** Forgets outcomes whose time is over, a bounded number at once. */
public final class TickHandler {
    public Outcome decide(Draft draft) {
        for (RequestKey key : draft.state().expiredOutcomes(draft.timeMillis(), Limits.EXPIRIES_PER_TICK_MAX)) {
            draft.add(new Change.OutcomeRemoved(key));
        }
        return Outcomes.accepted();
    }
}
