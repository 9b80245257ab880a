package io.surestate.sim.batch;

import io.surestate.scheduler.queue.QueuedJob;
import java.util.Arrays;

/** What comes out of a replay, as it goes on. Used by one thread. */
final class Measures {
    /** Shorter jobs count as this long, so that their slowdown means something. */
    private static final double SHORT_SECONDS = 10;

    private static final double P99 = 0.99;

    private final double[] slowdowns;
    private final int processors;
    private final StepCurve waiting = new StepCurve();
    private final StepCurve busy = new StepCurve();
    private int jobs;
    private double waitSum;
    private long waitMax;
    private double area;
    private long begin = Long.MAX_VALUE;
    private long end = Long.MIN_VALUE;

    Measures(int jobsMax, int processors) {
        this.slowdowns = new double[jobsMax];
        this.processors = processors;
    }

    void started(QueuedJob job, long now, long ran) {
        long wait = now - job.submitted();
        slowdowns[jobs++] = Math.max(1, (wait + ran) / Math.max((double) ran, SHORT_SECONDS));
        waitSum += wait;
        waitMax = Math.max(waitMax, wait);
        area += (double) ran * job.processors();
        begin = Math.min(begin, job.submitted());
        end = Math.max(end, now + ran);
    }

    void at(long now, int inQueue, int inUse) {
        waiting.at(now, inQueue);
        busy.at(now, (double) inUse / processors);
    }

    Replayed result() {
        if (jobs == 0) {
            throw new IllegalStateException("no jobs were replayed");
        }
        double mean = Arrays.stream(slowdowns).sum() / jobs;
        Arrays.sort(slowdowns);
        double p99 = slowdowns[(int) Math.ceil(P99 * jobs) - 1];
        long span = end - begin;
        QueueOutcome outcome = new QueueOutcome(
                jobs, mean, p99, span == 0 ? 0 : area / processors / span, waitSum / jobs, waitMax, span);
        return new Replayed(outcome, waiting.points(), busy.points(), slowdowns);
    }
}
