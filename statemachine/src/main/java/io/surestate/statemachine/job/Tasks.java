package io.surestate.statemachine.job;

import io.surestate.api.Limits;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.Invariants;

/** Moves of single tasks. */
public final class Tasks {
    private Tasks() {}

    /** {@code group/index}. */
    public static String label(Task task) {
        return task.getGroup() + "/" + task.getIndex();
    }

    /** A new attempt's task. */
    static Task.Builder pending(String jobUid, String group, int index, int attempt) {
        return Task.newBuilder()
                .setJobUid(jobUid)
                .setGroup(group)
                .setIndex(index)
                .setAttempt(attempt)
                .setState(TaskState.TASK_STATE_PENDING);
    }

    /** Sets a state that the table allows from the present one. */
    public static Task.Builder move(Task task, TaskState to) {
        Invariants.check(
                TaskTransitions.allowed(task.getState(), to),
                "task %s of %s goes from %s to %s",
                label(task),
                task.getJobUid(),
                task.getState(),
                to);
        return task.toBuilder().setState(to);
    }

    /** The task got this place. */
    public static void allocate(Draft draft, Task task, Allocation allocation) {
        draft.put(move(task, TaskState.TASK_STATE_ALLOCATED)
                .setNode(allocation.getNode())
                .setAllocationId(allocation.getId()));
    }

    /** A placed task is to end: its place counts until the agent proves it empty. */
    static void stop(Draft draft, Task task, String reason) {
        if (TaskTransitions.allowed(task.getState(), TaskState.TASK_STATE_STOPPING)) {
            draft.put(move(task, TaskState.TASK_STATE_STOPPING));
            releasing(draft, task, reason);
        }
    }

    /** The place of a task that ends, one way or another, starts to be emptied. */
    static void releasing(Draft draft, Task task, String reason) {
        draft.state()
                .allocation(task.getNode(), task.getAllocationId())
                .filter(allocation -> allocation.getState() == AllocationState.ALLOCATION_STATE_BOUND)
                .ifPresent(
                        allocation -> draft.move(allocation, AllocationState.ALLOCATION_STATE_RELEASING, cut(reason)));
    }

    /** Ends a placed task and frees its allocation. */
    public static Task end(Draft draft, Task.Builder ended, Allocation allocation) {
        Task done = draft.put(ended.setFinishedMillis(draft.timeMillis()));
        draft.release(allocation, done.getReason());
        return done;
    }

    static String cut(String text) {
        if (text.length() <= Limits.REASON_CHARS_MAX) {
            return text;
        }
        boolean splitsPair = Character.isHighSurrogate(text.charAt(Limits.REASON_CHARS_MAX - 1));
        return text.substring(0, Limits.REASON_CHARS_MAX - (splitsPair ? 1 : 0));
    }
}
