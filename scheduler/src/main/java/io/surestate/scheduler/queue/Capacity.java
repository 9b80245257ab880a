package io.surestate.scheduler.queue;

/**
 * What there is to run jobs on, as one pass over a queue asks for it. A count of processors is one ({@link ProcessorPool}); a cluster with
 * places, models and links is another. Used by one thread.
 */
public interface Capacity {
    /** Whether the job could start now. */
    boolean fits(QueuedJob job);

    /** Whether nothing at all could start now; {@code false} where that is not cheap to know. */
    boolean isFull();

    /** Starts a job that fits. */
    void take(QueuedJob job, long now);

    /** When a job that does not fit now will, if nothing else starts, and what is to spare then. */
    Reservation reserve(QueuedJob head, long now);
}
