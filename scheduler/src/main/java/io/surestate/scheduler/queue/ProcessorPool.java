package io.surestate.scheduler.queue;

import io.surestate.api.Names;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** A number of equal processors. Used by one thread. */
public final class ProcessorPool implements Capacity {
    private final int total;
    private final boolean predicting;
    private final Map<Long, Running> running = new LinkedHashMap<>();
    private final TreeSet<Running> byEnd = new TreeSet<>();
    private int free;

    /**
     * @param total at least 1
     * @param predicting whether predicted run times tell when running jobs end, rather than requested ones
     */
    public ProcessorPool(int total, boolean predicting) {
        if (total < 1) {
            throw new IllegalArgumentException(Names.message("processors", Integer.toString(total), "at least 1"));
        }
        this.total = total;
        this.predicting = predicting;
        this.free = total;
    }

    public int total() {
        return total;
    }

    public int free() {
        return free;
    }

    @Override
    public boolean fits(QueuedJob job) {
        return job.processors() <= free;
    }

    @Override
    public int freeAtMost() {
        return free;
    }

    @Override
    public void take(QueuedJob job, long now) {
        if (!fits(job)) {
            throw new IllegalStateException("job " + job.id() + " does not fit");
        }
        Running started = new Running(now + believed(job), job.id(), now + job.requested(), job.processors());
        if (running.putIfAbsent(job.id(), started) != null) {
            throw new IllegalStateException("job " + job.id() + " runs already");
        }
        byEnd.add(started);
        free -= job.processors();
    }

    /** A running job ended. */
    public void release(long id) {
        Running ended = running.remove(id);
        if (ended == null) {
            throw new IllegalStateException("job " + id + " does not run");
        }
        byEnd.remove(ended);
        free += ended.processors;
    }

    @Override
    public Reservation reserve(QueuedJob head, long now) {
        if (head.processors() > total) {
            throw new IllegalArgumentException(
                    Names.message("processors", Integer.toString(head.processors()), "at most " + total));
        }
        correct(now);
        long available = free;
        long at = now;
        for (Running job : byEnd) {
            // Whatever ends at the same moment is there for the head too.
            if (available >= head.processors() && job.end != at) {
                break;
            }
            available += job.processors;
            at = job.end;
        }
        return new Spare(at, available - head.processors());
    }

    /** A running job that outlived its prediction will take what it asked for. */
    private void correct(long now) {
        while (!byEnd.isEmpty() && byEnd.first().end <= now && byEnd.first().end < byEnd.first().requestedEnd) {
            Running wrong = Objects.requireNonNull(byEnd.pollFirst());
            Running corrected = new Running(wrong.requestedEnd, wrong.id, wrong.requestedEnd, wrong.processors);
            byEnd.add(corrected);
            running.put(wrong.id, corrected);
        }
    }

    private long believed(QueuedJob job) {
        return predicting ? job.predicted() : job.requested();
    }

    private record Running(long end, long id, long requestedEnd, int processors) implements Comparable<Running> {
        @Override
        public int compareTo(Running other) {
            int byEnd = Long.compare(end, other.end);
            return byEnd != 0 ? byEnd : Long.compare(id, other.id);
        }
    }

    /** A head's start, and the processors that it leaves over then. */
    private final class Spare implements Reservation {
        private final long at;
        private long left;

        Spare(long at, long left) {
            this.at = at;
            this.left = left;
        }

        @Override
        public long at() {
            return at;
        }

        @Override
        public long endOf(QueuedJob job, long now) {
            return now + believed(job);
        }

        @Override
        public boolean spares(QueuedJob job) {
            return job.processors() <= left;
        }

        @Override
        public long spareAtMost() {
            return left;
        }

        @Override
        public void spend(QueuedJob job) {
            left -= job.processors();
        }
    }
}
