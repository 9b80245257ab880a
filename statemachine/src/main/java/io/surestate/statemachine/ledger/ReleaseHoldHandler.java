package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.ReleaseHold;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;

/** Ends a hold early. One that is over stays as it ended. */
public final class ReleaseHoldHandler {
    public Outcome decide(Draft draft, Caller caller, ReleaseHold command) {
        return Holds.find(draft, caller, command.getHold())
                .map(hold -> Outcomes.hold(release(draft, hold)))
                .orElseGet(() -> Holds.notFound(caller, command.getHold()));
    }

    private static Hold release(Draft draft, Hold hold) {
        return Holds.stands(hold) ? Holds.free(draft, hold, HoldState.HOLD_STATE_RELEASED) : hold;
    }
}
