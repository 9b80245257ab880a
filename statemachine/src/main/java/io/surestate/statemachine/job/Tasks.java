package io.surestate.statemachine.job;

import io.surestate.api.Limits;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.Change;
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

    /** Ends a placed task and frees its allocation. */
    public static Task end(Draft draft, Task.Builder ended, Allocation allocation) {
        Task done = draft.put(ended.setFinishedMillis(draft.timeMillis()));
        draft.add(new Change.AllocationRemoved(allocation.toBuilder()
                .setState(AllocationState.ALLOCATION_STATE_RELEASED)
                .setRevision(draft.index())
                .build()));
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
