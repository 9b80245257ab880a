package io.surestate.scheduler.policy;

import io.surestate.scheduler.pool.DeviceChoice;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Shape;
import java.util.random.RandomGenerator;

/** Any node on which the task fits, each with the same chance. */
public final class RandomPolicy implements Policy {
    private final RandomGenerator random;

    public RandomPolicy(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public String name() {
        return "random";
    }

    /** The greatest of n draws to the n-th power is spread like one draw: a node with many choices gets no more chances than others. */
    @Override
    public double score(Shape shape, NodeRow node, DeviceChoice choice) {
        return Math.pow(random.nextDouble(), choice.alternatives());
    }

    @Override
    public boolean cacheable() {
        return false;
    }
}
