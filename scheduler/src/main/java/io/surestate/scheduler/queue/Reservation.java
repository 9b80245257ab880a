package io.surestate.scheduler.queue;

/** The place kept for the head of a queue. Holds for one pass; used by one thread. */
public interface Reservation {
    /** When the head starts at the latest. */
    long at();

    /** When the job would end if it started now, by what this capacity believes of run times. */
    long endOf(QueuedJob job, long now);

    /** Whether the job may run beyond {@link #at} and the head still starts then. */
    boolean spares(QueuedJob job);

    /** It spares no job of more processors; {@link Integer#MAX_VALUE} where that is not cheap to know. */
    long spareAtMost();

    /** A job that it spares was started and runs beyond {@link #at}. */
    void spend(QueuedJob job);
}
