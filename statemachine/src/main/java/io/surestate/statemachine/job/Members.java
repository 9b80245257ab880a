package io.surestate.statemachine.job;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;

/** How tasks leave a gang that runs on without them. */
final class Members {
    private Members() {}

    /** Whether the group would still have its fewest tasks without this one, and none of its tasks is over, whose work could not be done again. */
    static boolean canDoWithout(JobEntry entry, Task task) {
        TaskGroup group = entry.group(task.getGroup()).orElseThrow();
        return GroupSize.elastic(group)
                && entry.tasks().stream()
                        .filter(other -> other.getGroup().equals(task.getGroup()))
                        .noneMatch(other -> other.getState() == TaskState.TASK_STATE_SUCCEEDED)
                && staying(entry, group).stream()
                                .filter(other -> other.getIndex() != task.getIndex())
                                .count()
                        >= GroupSize.min(group);
    }

    /** Stops a task for good; its gang goes on. */
    static void leave(Draft draft, Task task, String reason) {
        Task leaving = draft.put(
                Tasks.move(task, TaskState.TASK_STATE_STOPPING).setLeaving(true).setReason(reason));
        Tasks.releasing(draft, leaving, reason);
        JobEdit edit = edit(draft, task);
        edit.job().setGeneration(edit.job().getGeneration() + 1);
        edit.commit();
    }

    /** A task is over and belongs to the gang no more; returns the next attempt of it, which may join later. */
    static Task left(Draft draft, Task over, String reason) {
        JobEdit edit = edit(draft, over);
        int attempt = edit.status().getAttempt() + 1;
        edit.event(JobEventKind.JOB_EVENT_KIND_LEFT, over, reason);
        edit.job().setGeneration(edit.job().getGeneration() + 1);
        edit.status().setAttempt(attempt);
        edit.commit();
        draft.add(new Change.TaskArchived(over));
        return draft.put(Tasks.pending(over.getJobUid(), over.getGroup(), over.getIndex(), attempt));
    }

    /** Lets the last tasks go where more have joined than are wanted; of a group that is cut, the last slices as a whole. */
    static void shrink(Draft draft, JobEntry entry, TaskGroup group, String reason) {
        int size = Math.max(1, group.getTopology().getSliceTasks());
        List<Task> staying = staying(entry, group);
        List<Integer> slices =
                staying.stream().map(task -> task.getIndex() / size).distinct().toList();
        int wanted = Math.min(slices.size(), GroupSize.target(group) / size);
        List<Integer> last = slices.subList(wanted, slices.size());
        for (Task task : staying) {
            if (last.contains(task.getIndex() / size)) {
                leave(draft, task, reason);
            }
        }
    }

    /** By index. */
    private static List<Task> staying(JobEntry entry, TaskGroup group) {
        return entry.tasks().stream()
                .filter(task -> task.getGroup().equals(group.getName()))
                .filter(task -> TaskTransitions.allowed(task.getState(), TaskState.TASK_STATE_STOPPING))
                .toList();
    }

    private static JobEdit edit(Draft draft, Task task) {
        return new JobEdit(
                draft, draft.state().job(task.getJobUid()).orElseThrow().job());
    }
}
