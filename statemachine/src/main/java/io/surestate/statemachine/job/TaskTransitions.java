package io.surestate.statemachine.job;

import static io.surestate.api.v1.TaskState.TASK_STATE_ALLOCATED;
import static io.surestate.api.v1.TaskState.TASK_STATE_CANCELLED;
import static io.surestate.api.v1.TaskState.TASK_STATE_FAILED;
import static io.surestate.api.v1.TaskState.TASK_STATE_LOST;
import static io.surestate.api.v1.TaskState.TASK_STATE_PENDING;
import static io.surestate.api.v1.TaskState.TASK_STATE_PREEMPTED;
import static io.surestate.api.v1.TaskState.TASK_STATE_RUNNING;
import static io.surestate.api.v1.TaskState.TASK_STATE_STARTING;
import static io.surestate.api.v1.TaskState.TASK_STATE_STOPPING;
import static io.surestate.api.v1.TaskState.TASK_STATE_SUCCEEDED;

import io.surestate.api.v1.TaskState;
import java.util.EnumSet;
import java.util.Set;

/** The one table of how a task attempt moves. Every move goes forward; a final state is never left. */
public final class TaskTransitions {
    private TaskTransitions() {}

    /** Whether an attempt may go from one state to another; staying is not a move. */
    public static boolean allowed(TaskState from, TaskState to) {
        return after(from).contains(to);
    }

    public static boolean isFinal(TaskState state) {
        return ends().contains(state);
    }

    /** States that an agent may report. */
    public static boolean reportable(TaskState state) {
        return switch (state) {
            case TASK_STATE_STARTING,
                    TASK_STATE_RUNNING,
                    TASK_STATE_STOPPING,
                    TASK_STATE_SUCCEEDED,
                    TASK_STATE_FAILED,
                    TASK_STATE_LOST,
                    TASK_STATE_CANCELLED -> true;
            default -> false;
        };
    }

    private static Set<TaskState> after(TaskState from) {
        return switch (from) {
            case TASK_STATE_PENDING -> EnumSet.of(TASK_STATE_ALLOCATED, TASK_STATE_CANCELLED);
            case TASK_STATE_ALLOCATED -> endsAnd(TASK_STATE_STARTING, TASK_STATE_RUNNING, TASK_STATE_STOPPING);
            case TASK_STATE_STARTING -> endsAnd(TASK_STATE_RUNNING, TASK_STATE_STOPPING);
            case TASK_STATE_RUNNING -> endsAnd(TASK_STATE_STOPPING);
            case TASK_STATE_STOPPING -> ends();
            default -> EnumSet.noneOf(TaskState.class);
        };
    }

    private static Set<TaskState> ends() {
        return EnumSet.of(
                TASK_STATE_SUCCEEDED, TASK_STATE_FAILED, TASK_STATE_LOST, TASK_STATE_PREEMPTED, TASK_STATE_CANCELLED);
    }

    private static Set<TaskState> endsAnd(TaskState... more) {
        Set<TaskState> all = ends();
        all.addAll(Set.of(more));
        return all;
    }
}
