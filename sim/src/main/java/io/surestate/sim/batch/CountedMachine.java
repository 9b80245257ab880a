package io.surestate.sim.batch;

import io.surestate.scheduler.queue.ProcessorPool;
import io.surestate.scheduler.queue.QueuedJob;
import io.surestate.scheduler.queue.Reservation;

/** Equal processors that are only counted. Used by one thread. */
final class CountedMachine implements Machine {
    private final ProcessorPool pool;

    CountedMachine(ProcessorPool pool) {
        this.pool = pool;
    }

    @Override
    public int total() {
        return pool.total();
    }

    @Override
    public int free() {
        return pool.free();
    }

    @Override
    public boolean fits(QueuedJob job) {
        return pool.fits(job);
    }

    @Override
    public int freeAtMost() {
        return pool.freeAtMost();
    }

    @Override
    public void take(QueuedJob job, long now) {
        pool.take(job, now);
    }

    @Override
    public Reservation reserve(QueuedJob head, long now) {
        return pool.reserve(head, now);
    }

    @Override
    public void release(QueuedJob job, long now) {
        pool.release(job.id());
    }
}
