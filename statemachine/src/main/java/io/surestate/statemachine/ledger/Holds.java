package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.Change;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How holds end. */
public final class Holds {
    private Holds() {}

    /** Lets standing holds expire and forgets ended ones, those whose time has come, a bounded number. */
    public static void endDue(Draft draft, int limit) {
        List<Hold> due = draft.state().dueHolds(draft.timeMillis(), limit);
        for (Hold hold : due) {
            if (hold.getState() == HoldState.HOLD_STATE_STANDING) {
                expire(draft, hold);
            } else {
                draft.add(new Change.HoldRemoved(hold.getId()));
            }
        }
    }

    /** The caller's hold. */
    static Optional<Hold> find(Draft draft, Caller caller, String id) {
        return draft.state().hold(id).filter(hold -> caller.mayTouch(hold.getTenant()));
    }

    static Outcome notFound(Caller caller, String id) {
        return Outcomes.rejected(
                ErrorCode.ERROR_CODE_NOT_FOUND,
                "hold",
                id,
                "a hold of tenant " + caller.tenant() + " that stands or ended within the last hour");
    }

    static boolean stands(Hold hold) {
        return hold.getState() == HoldState.HOLD_STATE_STANDING;
    }

    static Hold expire(Draft draft, Hold hold) {
        return free(draft, hold, HoldState.HOLD_STATE_EXPIRED);
    }

    /** Ends a hold and frees what it keeps. */
    static Hold free(Draft draft, Hold hold, HoldState how) {
        String reason = "hold " + (how == HoldState.HOLD_STATE_EXPIRED ? "expired" : "released");
        for (Allocation held : draft.state().heldBy(hold.getId())) {
            draft.release(held, reason);
        }
        return end(draft, hold, how);
    }

    /** Ends a hold that keeps nothing any more. An expired one ended when its time was over, whenever that was found out. */
    static Hold end(Draft draft, Hold hold, HoldState how) {
        boolean expired = how == HoldState.HOLD_STATE_EXPIRED;
        return draft.put(
                hold.toBuilder().setState(how).setEndedMillis(expired ? hold.getExpiresMillis() : draft.timeMillis()));
    }

    static Outcome over(Hold hold) {
        String how = hold.getState().name().replace("HOLD_STATE_", "");
        return Outcomes.rejected(
                ErrorCode.ERROR_CODE_HOLD_OVER,
                "hold",
                hold.getId(),
                "one that stands; this one was " + how + " at cluster time " + hold.getEndedMillis() + ", "
                        + Instant.ofEpochMilli(hold.getEndedMillis()));
    }
}
