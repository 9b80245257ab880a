package io.surestate.statemachine.cluster;

import io.surestate.api.Limits;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestKey;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.ledger.Drains;
import io.surestate.statemachine.ledger.Holds;
import io.surestate.statemachine.node.NodeConditions;
import io.surestate.statemachine.state.Change;

/** Ends holds, drains and probations and forgets outcomes and ended holds whose time is over, a bounded number of each at once. */
public final class TickHandler {
    public Outcome decide(Draft draft) {
        Holds.endDue(draft, Limits.EXPIRIES_PER_TICK_MAX);
        Drains.endDue(draft, Limits.DRAINED_PER_TICK_MAX);
        NodeConditions.endProbations(draft, Limits.EXPIRIES_PER_TICK_MAX);
        for (RequestKey key : draft.state().expiredOutcomes(draft.timeMillis(), Limits.EXPIRIES_PER_TICK_MAX)) {
            draft.add(new Change.OutcomeRemoved(key));
        }
        return Outcomes.accepted();
    }
}
