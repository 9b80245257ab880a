package io.surestate.scheduler.pool;

/**
 * Where a task goes.
 *
 * @param node index in the pool
 * @param fit what it takes there
 * @param score what the policy gave for it
 */
public record Place(int node, Fit fit, double score) {}
