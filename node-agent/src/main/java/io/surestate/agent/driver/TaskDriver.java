package io.surestate.agent.driver;

import io.surestate.api.v1.DesiredTask;
import java.util.List;

/**
 * Runs task attempts on one node and says what is true of them. Agent thread only; nothing blocks for long and nothing happens
 * between calls that {@link #poll} does not notice.
 *
 * <p>A task is known from {@link #start} until {@link #forget}. It reports a final state only when its whole process tree is
 * proven empty. Every call may be repeated.
 */
public interface TaskDriver {
    /** Starts it, unless its allocation is known. What keeps it from starting becomes its final state. */
    void start(DesiredTask task);

    /** Asks it to end: signal, grace, kill of the whole tree. Ends as CANCELLED unless it had ended by itself. */
    void stop(String allocationId, long graceMillis);

    /** As {@link #stop}, but first asks it for a checkpoint and waits for that, as far as its job's checkpoint policy says so. */
    default void retire(String allocationId, long graceMillis) {
        stop(allocationId, graceMillis);
    }

    /** Kills the whole tree at once because the lease ended. Ends as LOST unless it had ended by itself. */
    void fence(String allocationId);

    /** Drops an ended task; its output is kept for a while. A task that has not ended stays known. */
    void forget(String allocationId);

    /**
     * Looks at what happened.
     *
     * @param nowMillis on the boot clock
     */
    void poll(long nowMillis);

    /** Every known task, ordered by allocation id. */
    List<KnownTask> tasks();
}
