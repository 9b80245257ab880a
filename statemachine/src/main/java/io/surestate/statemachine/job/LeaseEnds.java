package io.surestate.statemachine.job;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.LeaseEnd;

/** What the end of a node's lease means to a job's tasks. */
public final class LeaseEnds {
    private LeaseEnds() {}

    /**
     * STOP or KEEP: as asked for; where nothing was asked, STOP for jobs that go on from a checkpoint, without a task, or on a spare place, and KEEP for
     * others.
     */
    public static LeaseEnd effective(JobSpec spec) {
        return switch (spec.getOnLeaseEnd()) {
            case LEASE_END_STOP -> LeaseEnd.LEASE_END_STOP;
            case LEASE_END_KEEP -> LeaseEnd.LEASE_END_KEEP;
            default -> goesOn(spec) ? LeaseEnd.LEASE_END_STOP : LeaseEnd.LEASE_END_KEEP;
        };
    }

    private static boolean goesOn(JobSpec spec) {
        return spec.hasCheckpoint()
                || spec.getGroupsList().stream().anyMatch(group -> GroupSize.elastic(group) || group.getSpares() > 0);
    }
}
