package io.surestate.sim.batch;

import io.surestate.scheduler.queue.Capacity;
import io.surestate.scheduler.queue.QueuedJob;

/** What a replay runs jobs on. Used by one thread; times in seconds. */
public interface Machine extends Capacity {
    /** Processors in all, at least 1. */
    int total();

    /** Processors that nobody has. */
    int free();

    /** A job that was taken ended. */
    void release(QueuedJob job, long now);
}
