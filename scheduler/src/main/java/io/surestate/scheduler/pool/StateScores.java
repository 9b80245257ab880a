package io.surestate.scheduler.pool;

import java.util.Arrays;

/** Finds, among the nodes asked about so far, one of equal state. An open-addressed table of node indices; one thread, thrown away. */
final class StateScores {
    private static final int EMPTY = -1;

    private final Pool pool;
    private final int[] slots;

    StateScores(Pool pool) {
        this.pool = pool;
        this.slots = new int[Integer.highestOneBit(Math.max(1, pool.size())) * 4];
        Arrays.fill(slots, EMPTY);
    }

    /** An earlier node of the same state, or -1, in which case this one is remembered. */
    int twin(int node) {
        NodeRow row = pool.node(node);
        int slot = (int) row.stateHash() & (slots.length - 1);
        while (slots[slot] != EMPTY) {
            if (pool.node(slots[slot]).sameState(row)) {
                return slots[slot];
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = node;
        return EMPTY;
    }
}
