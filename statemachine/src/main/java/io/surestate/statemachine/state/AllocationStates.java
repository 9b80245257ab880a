package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;

/** The one table of how an allocation moves. It may leave the ledger from every state; only RELEASED is free. */
public final class AllocationStates {
    private AllocationStates() {}

    /** A place that a running job keeps for itself, without a hold. */
    public static boolean isSpare(Allocation allocation) {
        return allocation.getState() == AllocationState.ALLOCATION_STATE_HELD
                && allocation.getHold().isEmpty();
    }

    /** Whether a live allocation may go from one state to another; staying is not a move. */
    public static boolean mayBecome(AllocationState from, AllocationState to) {
        return switch (from) {
            case ALLOCATION_STATE_HELD -> to == AllocationState.ALLOCATION_STATE_BOUND;
            // A spare place is kept, never bound.
            case ALLOCATION_STATE_NOMINATED ->
                to == AllocationState.ALLOCATION_STATE_BOUND || to == AllocationState.ALLOCATION_STATE_HELD;
            case ALLOCATION_STATE_BOUND -> to == AllocationState.ALLOCATION_STATE_RELEASING;
            default -> false;
        };
    }
}
