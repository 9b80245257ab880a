package io.surestate.scheduler.pool;

/**
 * A NIC, a local storage or a countable of a node, as described. Immutable.
 *
 * @param capacity bit/s, bytes or pieces
 * @param free of it, 0 to capacity
 */
record Good(Kind kind, String name, long capacity, long free) {
    /** What a good is; amounts are bit/s, bytes, pieces. */
    enum Kind {
        NIC,
        STORAGE,
        COUNTABLE
    }
}
