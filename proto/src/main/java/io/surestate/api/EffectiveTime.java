package io.surestate.api;

import io.surestate.api.v1.JobStatus;

/**
 * How much of a job's time was of use: the effective training time ratio as it is published for large training fleets (Kokolis et al., "Revisiting
 * Reliability in Large-Scale Machine Learning Research Clusters", HPCA 2025), which is productive run time over available wall time.
 *
 * <p>All in cluster time. Available is the time from the first start of the whole gang to the job's end, or to now. Productive is, of each run, the time from
 * the moment at which the whole gang ran to its success, or, where it did not succeed, to the last checkpoint committed in it. So what is lost is the work after
 * the last committed checkpoint of a run that was stopped or failed, and all time in which not the whole gang ran: stopping, waiting, starting. The run that
 * goes on is taken as productive so far. What tasks do between their start and their first new step, such as loading a checkpoint, cannot be seen and counts as
 * productive.
 *
 * @param availableMillis since the first start; 0 = it never started
 */
public record EffectiveTime(long productiveMillis, long availableMillis) {
    private static final long WHOLE_MILLI = 1_000;

    /** Of a job as it stands at this cluster time. */
    public static EffectiveTime of(JobStatus status, long nowMillis) {
        if (status.getStartedMillis() == 0) {
            return new EffectiveTime(0, 0);
        }
        long end = status.getFinishedMillis() == 0 ? nowMillis : status.getFinishedMillis();
        long goesOn = status.getRunStartedMillis() == 0 ? 0 : Math.max(0, end - status.getRunStartedMillis());
        long available = Math.max(0, end - status.getStartedMillis());
        return new EffectiveTime(Math.min(available, status.getProductiveMillis() + goesOn), available);
    }

    /** In thousandths, rounded down; 1000 where there was no time yet. */
    public int milli() {
        return availableMillis == 0 ? (int) WHOLE_MILLI : (int) (productiveMillis * WHOLE_MILLI / availableMillis);
    }
}
