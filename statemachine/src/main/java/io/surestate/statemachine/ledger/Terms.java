package io.surestate.statemachine.ledger;

import io.surestate.api.v1.AllocationState;
import io.surestate.statemachine.decision.Caller;

/**
 * On what terms a plan is committed.
 *
 * @param scheduler who decided
 * @param hold id of the hold that keeps the places; empty = they are taken for good
 */
record Terms(Caller caller, String scheduler, String hold) {
    /** What a place becomes where it is free. */
    AllocationState state() {
        return hold.isEmpty() ? AllocationState.ALLOCATION_STATE_BOUND : AllocationState.ALLOCATION_STATE_HELD;
    }
}
