package io.surestate.scheduler.pool;

/**
 * A part of one of a node's goods. Immutable.
 *
 * @param at position of the good in the row
 * @param amount bit/s, bytes or pieces, at least 1
 */
record GoodShare(int at, long amount) {}
