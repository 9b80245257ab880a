package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;

/**
 * What the allocations of one node come to, by what they are. Immutable.
 *
 * @param occupied HELD, BOUND and RELEASING: nobody else can have it now
 * @param releasing the part of it that is RELEASING
 * @param nominated NOMINATED: claims on what is free or being released
 */
record NodeTally(Amounts occupied, Amounts releasing, Amounts nominated) {
    static final NodeTally EMPTY = new NodeTally(Amounts.NOTHING, Amounts.NOTHING, Amounts.NOTHING);

    NodeTally plus(Allocation allocation) {
        Amounts claim = Amounts.of(allocation.getClaim());
        return switch (allocation.getState()) {
            case ALLOCATION_STATE_HELD, ALLOCATION_STATE_BOUND ->
                new NodeTally(occupied.plus(claim), releasing, nominated);
            case ALLOCATION_STATE_RELEASING -> new NodeTally(occupied.plus(claim), releasing.plus(claim), nominated);
            case ALLOCATION_STATE_NOMINATED -> new NodeTally(occupied, releasing, nominated.plus(claim));
            default -> throw illegal(allocation);
        };
    }

    NodeTally minus(Allocation allocation) {
        Amounts claim = Amounts.of(allocation.getClaim());
        return switch (allocation.getState()) {
            case ALLOCATION_STATE_HELD, ALLOCATION_STATE_BOUND ->
                new NodeTally(occupied.minus(claim), releasing, nominated);
            case ALLOCATION_STATE_RELEASING -> new NodeTally(occupied.minus(claim), releasing.minus(claim), nominated);
            case ALLOCATION_STATE_NOMINATED -> new NodeTally(occupied, releasing, nominated.minus(claim));
            default -> throw illegal(allocation);
        };
    }

    /** What nominations keep from being given to others, beside what is being released for them. */
    Amounts nominatedFree() {
        return nominated.isNothing() ? nominated : nominated.leftAfter(releasing);
    }

    /** Everything that nobody else can be given now. */
    Amounts taken() {
        return nominated.isNothing() ? occupied : occupied.plus(nominatedFree());
    }

    /** What of the capacity nominations may still claim: what is free, and what is being released. */
    Amounts nominable(Amounts capacity) {
        return capacity.leftAfter(occupied.minus(releasing)).leftAfter(nominated);
    }

    /** Whether all nominations could be bound once everything that is being released is gone. */
    boolean nominationsFit(Amounts capacity) {
        return nominated.isNothing()
                || capacity.leftAfter(occupied.minus(releasing)).covers(nominated);
    }

    private static IllegalStateException illegal(Allocation allocation) {
        AllocationState state = allocation.getState();
        return new IllegalStateException("allocation " + allocation.getId() + " in live state is " + state);
    }
}
