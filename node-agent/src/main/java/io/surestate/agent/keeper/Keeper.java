package io.surestate.agent.keeper;

import java.util.List;

/**
 * Kills tasks when the lease ends, whatever became of the agent. Agent thread only.
 *
 * <p>Without a live keeper the agent must not renew its lease, or else nobody would end what the lease covers.
 */
public interface Keeper {
    /**
     * A keeper is at work and saw the time pass lately. Starts another one if not.
     *
     * @param nowMillis on the boot clock
     */
    boolean alive(long nowMillis);

    /**
     * Hands over what holds from now on. When this returns, a crash of the agent loses none of it.
     *
     * @param deadlineMillis end of the lease on the boot clock; 0 = no lease yet
     * @param tasks to be killed at that moment
     */
    void update(long deadlineMillis, List<GuardedTask> tasks);

    /** The deadline that was handed over before this agent process began, on the same boot; 0 = none. */
    long lastDeadlineMillis();
}
