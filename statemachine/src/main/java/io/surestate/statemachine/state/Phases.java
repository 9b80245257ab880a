package io.surestate.statemachine.state;

import io.surestate.api.v1.JobPhase;

/** Kinds of job phases. */
public final class Phases {
    private Phases() {}

    /** The job is over and only in history. */
    public static boolean finished(JobPhase phase) {
        return phase == JobPhase.JOB_PHASE_SUCCEEDED
                || phase == JobPhase.JOB_PHASE_FAILED
                || phase == JobPhase.JOB_PHASE_CANCELLED;
    }

    /** The gang is being stopped, for whatever reason. */
    public static boolean stopping(JobPhase phase) {
        return phase == JobPhase.JOB_PHASE_RESTARTING
                || phase == JobPhase.JOB_PHASE_FAILING
                || phase == JobPhase.JOB_PHASE_CANCELLING;
    }
}
