package io.surestate.scheduler.queue;

/**
 * What there is to run jobs on, as one pass over a queue asks for it. A count of processors is one ({@link ProcessorPool}); a cluster with
 * places, models and links is another. Used by one thread.
 */
public interface Capacity {
    /** Whether the job could start now. */
    boolean fits(QueuedJob job);

    /** No job of more processors fits now; {@link Integer#MAX_VALUE} where that is not cheap to know. */
    int freeAtMost();

    /** Starts a job that fits. */
    void take(QueuedJob job, long now);

    /** When a job that does not fit now will, if nothing else starts, and what is to spare then. */
    Reservation reserve(QueuedJob head, long now);
}
