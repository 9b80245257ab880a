package io.surestate.scheduler.policy;

import io.surestate.scheduler.pool.Pool;
import java.util.random.RandomGenerator;

/** Makes a fresh policy, which has learned nothing, for one pool. */
@FunctionalInterface
public interface PolicyFactory {
    /**
     * Makes one.
     *
     * @param pool what the policy will place on; it reads capacities from it and changes nothing
     * @param random for policies that draw
     */
    Policy create(Pool pool, RandomGenerator random);
}
