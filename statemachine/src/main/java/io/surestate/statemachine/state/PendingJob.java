package io.surestate.statemachine.state;

import io.surestate.api.v1.Job;
import java.util.Comparator;

/** A job's place in the line of those that wait for places: higher priority first, then the older. */
public record PendingJob(int priority, String uid) implements Comparable<PendingJob> {
    private static final Comparator<PendingJob> ORDER =
            Comparator.comparingInt(PendingJob::priority).reversed().thenComparing(PendingJob::uid);

    static PendingJob of(Job job) {
        return new PendingJob(job.getSpec().getPriority(), job.getUid());
    }

    @Override
    public int compareTo(PendingJob other) {
        return ORDER.compare(this, other);
    }
}
