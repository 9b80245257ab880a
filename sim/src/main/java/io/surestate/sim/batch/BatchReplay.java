package io.surestate.sim.batch;

import io.surestate.scheduler.queue.JobQueue;
import io.surestate.scheduler.queue.ProcessorPool;
import io.surestate.scheduler.queue.QueuedJob;
import io.surestate.sim.Progress;
import java.util.PriorityQueue;

/**
 * Plays one log on one machine, from empty to empty. An object plays once, in one thread. Jobs are objects only while they wait or run.
 */
public final class BatchReplay {
    private static final int TOLD_EVERY = 1_024;

    private final ReplaySetting setting;
    private final JobLog log;
    private final Progress progress;
    private final JobQueue queue;
    private final Machine machine;
    private final Measures measures;
    private final PriorityQueue<Run> running = new PriorityQueue<>();
    private int next;
    private long starts;
    private int ended;

    /**
     * Sets up a replay on processors that are only counted.
     *
     * @throws IllegalArgumentException a job is wider than the machine
     */
    public BatchReplay(ReplaySetting setting, JobLog log, Progress progress) {
        this(
                setting,
                new CountedMachine(new ProcessorPool(setting.processors(), setting.predictsEnds())),
                log,
                progress);
    }

    /**
     * Sets up a replay on a machine of the setting's processors, all of them free.
     *
     * @throws IllegalArgumentException a job is wider than the machine
     */
    public BatchReplay(ReplaySetting setting, Machine machine, JobLog log, Progress progress) {
        if (log.processorsMax() > machine.total()) {
            throw new IllegalArgumentException(
                    "a job of " + log.processorsMax() + " processors never fits on " + machine.total());
        }
        if (machine.total() != setting.processors() || machine.free() != machine.total()) {
            throw new IllegalArgumentException("machine: " + machine.free() + " of " + machine.total()
                    + " processors free (expected: all of " + setting.processors() + ")");
        }
        this.setting = setting;
        this.log = log;
        this.progress = progress;
        this.queue = new JobQueue(setting.order(), setting.backfill());
        this.machine = machine;
        this.measures = new Measures(log.size(), machine.total());
    }

    /** Plays everything. */
    public Replayed play() {
        while (next < log.size() || !running.isEmpty()) {
            long now = Math.min(nextSubmission(), nextEnd());
            switch (setting.events()) {
                case TOGETHER -> together(now);
                case ONE_BY_ONE -> oneByOne(now);
                case REQUESTS_EXPIRE_FIRST -> {
                    expire(now);
                    oneByOne(now);
                }
            }
        }
        if (!queue.isEmpty()) {
            throw new IllegalStateException(queue.size() + " jobs find no place on an empty machine");
        }
        progress.done(ended % TOLD_EVERY);
        return measures.result();
    }

    private long nextSubmission() {
        return next < log.size() ? log.submit(next) : Long.MAX_VALUE;
    }

    private long nextEnd() {
        Run first = running.peek();
        return first == null ? Long.MAX_VALUE : first.end;
    }

    private void together(long now) {
        while (nextEnd() == now) {
            end(running.remove(), now);
        }
        while (nextSubmission() == now) {
            submit();
        }
        pass(now);
    }

    private void oneByOne(long now) {
        while (nextSubmission() == now) {
            submit();
            pass(now);
        }
        while (nextEnd() == now) {
            end(running.remove(), now);
            pass(now);
        }
    }

    /** Makes room of what ends now and was asked to end now; the ends themselves are still to be dealt with. */
    private void expire(long now) {
        for (Run run : running) {
            if (run.end == now && run.start + run.job.requested() == now && !run.expired) {
                machine.release(run.job, now);
                run.expired = true;
            }
        }
    }

    private void submit() {
        int job = next++;
        queue.add(QueuedJob.requesting(job, log.user(job), log.submit(job), log.requested(job), log.processors(job)));
    }

    private void end(Run run, long now) {
        if (!run.expired) {
            machine.release(run.job, now);
        }
        queue.ended(run.job, run.end - run.start);
        if (++ended % TOLD_EVERY == 0) {
            progress.done(TOLD_EVERY);
        }
    }

    private void pass(long now) {
        for (QueuedJob job : queue.pass(now, machine)) {
            long ran = log.run((int) job.id());
            running.add(new Run(job, now, now + ran, starts++));
            measures.started(job, now, ran);
        }
        measures.at(now, queue.size(), machine.total() - machine.free());
    }

    private static final class Run implements Comparable<Run> {
        private final QueuedJob job;
        private final long start;
        private final long end;
        private final long order;
        private boolean expired;

        Run(QueuedJob job, long start, long end, long order) {
            this.job = job;
            this.start = start;
            this.end = end;
            this.order = order;
        }

        @Override
        public int compareTo(Run other) {
            int byEnd = Long.compare(end, other.end);
            return byEnd != 0 ? byEnd : Long.compare(order, other.order);
        }
    }
}
