package io.surestate.cli.job;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.TaskState;

/** What phases and states mean to the commands. */
final class JobPhases {
    private JobPhases() {}

    static boolean isFinished(Job job) {
        return switch (job.getStatus().getPhase()) {
            case JOB_PHASE_SUCCEEDED, JOB_PHASE_FAILED, JOB_PHASE_CANCELLED -> true;
            default -> false;
        };
    }

    static boolean isSucceeded(Job job) {
        return job.getStatus().getPhase() == JobPhase.JOB_PHASE_SUCCEEDED;
    }

    static boolean isFinal(TaskState state) {
        return switch (state) {
            case TASK_STATE_SUCCEEDED, TASK_STATE_FAILED, TASK_STATE_LOST, TASK_STATE_PREEMPTED, TASK_STATE_CANCELLED ->
                true;
            default -> false;
        };
    }
}
