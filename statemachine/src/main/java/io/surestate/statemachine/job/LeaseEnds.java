package io.surestate.statemachine.job;

import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.LeaseEnd;

/** What the end of a node's lease means to a job's tasks. */
public final class LeaseEnds {
    private LeaseEnds() {}

    /** STOP or KEEP: as asked for; where nothing was asked, STOP with a checkpoint policy and KEEP without. */
    public static LeaseEnd effective(JobSpec spec) {
        return switch (spec.getOnLeaseEnd()) {
            case LEASE_END_STOP -> LeaseEnd.LEASE_END_STOP;
            case LEASE_END_KEEP -> LeaseEnd.LEASE_END_KEEP;
            default -> spec.hasCheckpoint() ? LeaseEnd.LEASE_END_STOP : LeaseEnd.LEASE_END_KEEP;
        };
    }
}
