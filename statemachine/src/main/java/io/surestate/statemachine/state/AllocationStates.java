package io.surestate.statemachine.state;

import io.surestate.api.v1.AllocationState;

/** The one table of how an allocation moves. It may leave the ledger from every state; only RELEASED is free. */
public final class AllocationStates {
    private AllocationStates() {}

    /** Whether a live allocation may go from one state to another; staying is not a move. */
    public static boolean mayBecome(AllocationState from, AllocationState to) {
        return switch (from) {
            case ALLOCATION_STATE_HELD, ALLOCATION_STATE_NOMINATED -> to == AllocationState.ALLOCATION_STATE_BOUND;
            case ALLOCATION_STATE_BOUND -> to == AllocationState.ALLOCATION_STATE_RELEASING;
            default -> false;
        };
    }
}
