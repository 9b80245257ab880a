package io.surestate.agent.driver;

import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.TaskState;

/** The two rules about tasks that every part of the agent shares. */
public final class TaskStates {
    private TaskStates() {}

    public static boolean isFinal(TaskState state) {
        return switch (state) {
            case TASK_STATE_SUCCEEDED, TASK_STATE_FAILED, TASK_STATE_LOST, TASK_STATE_PREEMPTED, TASK_STATE_CANCELLED ->
                true;
            default -> false;
        };
    }

    /** Whether the task must die when the lease ends: as asked, or else where it has a checkpoint to come back from. */
    public static boolean stopsAtLeaseEnd(DesiredTask task) {
        return task.getOnLeaseEnd() == LeaseEnd.LEASE_END_UNSPECIFIED
                ? task.hasCheckpoint()
                : task.getOnLeaseEnd() != LeaseEnd.LEASE_END_KEEP;
    }
}
