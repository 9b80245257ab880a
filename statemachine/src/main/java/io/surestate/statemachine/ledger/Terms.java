package io.surestate.statemachine.ledger;

import io.surestate.api.v1.AllocationState;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.Ids;

/**
 * On what terms a plan is committed.
 *
 * @param scheduler who decided
 * @param firstOwnId the smallest id that an allocation of the plan can have: tells its own from those before it
 * @param hold id of the hold that keeps the places; empty = they are taken for good
 */
record Terms(Caller caller, String scheduler, String firstOwnId, String hold) {
    static Terms of(Draft draft, Caller caller, String scheduler, String hold) {
        return new Terms(caller, scheduler, Ids.of(draft.index(), draft.nextOrdinal()), hold);
    }

    /** What a place becomes where it is free. */
    AllocationState state() {
        return hold.isEmpty() ? AllocationState.ALLOCATION_STATE_BOUND : AllocationState.ALLOCATION_STATE_HELD;
    }
}
