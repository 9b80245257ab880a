package io.surestate.scheduler.policy;

import io.surestate.scheduler.pool.DeviceChoice;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Shape;

/**
 * The score of putting a task on a node with a given choice of devices: the highest wins, equal ones go to the lowest node name, then to
 * the tightest choice. Only called for what fits. One thread.
 *
 * <p>A score depends on nothing but the shape, the free amounts and held tasks of the row, the choice and the policy's {@link #generation},
 * because scores are cached per shape and node until one of these changes; a policy that cannot promise that says so by {@link #cacheable}.
 * Where rounding of sums could decide between equals, round the score.
 */
public interface Policy {
    /** As users write it. */
    String name();

    /** Higher is better; finite. */
    double score(Shape shape, NodeRow node, DeviceChoice choice);

    /** A task of that shape arrived, whether it fits or not: all that a policy ever learns from. */
    default void observe(Shape shape) {}

    /** Grows whenever scores of unchanged nodes may have changed. */
    default long generation() {
        return 0;
    }

    /** Whether scores may be kept; otherwise every decision looks at every node. */
    default boolean cacheable() {
        return true;
    }
}
