package io.surestate.statemachine.state;

import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import java.util.TreeMap;
import org.pcollections.TreePMap;

/** Counts over a job's tasks, kept so that no decision about a gang walks all of it. Immutable. */
final class TaskTally {
    private final int[] byState;
    private final int started;
    private final TreePMap<Long, Integer> steps;

    private TaskTally(int[] byState, int started, TreePMap<Long, Integer> steps) {
        this.byState = byState;
        this.started = started;
        this.steps = steps;
    }

    static TaskTally of(Iterable<Task> tasks) {
        int[] byState = new int[TaskState.values().length - 1];
        int started = 0;
        TreeMap<Long, Integer> steps = new TreeMap<>();
        for (Task task : tasks) {
            byState[task.getState().getNumber()]++;
            started += startedOne(task);
            if (publishes(task)) {
                steps.merge(task.getCheckpointStep(), 1, Integer::sum);
            }
        }
        return new TaskTally(byState, started, TreePMap.fromSortedMap(steps));
    }

    TaskTally replacing(Task before, Task after) {
        int[] counts = byState.clone();
        counts[before.getState().getNumber()]--;
        counts[after.getState().getNumber()]++;
        return new TaskTally(counts, started - startedOne(before) + startedOne(after), stepsWith(before, after));
    }

    private TreePMap<Long, Integer> stepsWith(Task before, Task after) {
        boolean same = publishes(before) == publishes(after) && before.getCheckpointStep() == after.getCheckpointStep();
        if (same) {
            return steps;
        }
        TreePMap<Long, Integer> rest = publishes(before) ? changed(steps, before.getCheckpointStep(), -1) : steps;
        return publishes(after) ? changed(rest, after.getCheckpointStep(), 1) : rest;
    }

    int count(TaskState state) {
        return byState[state.getNumber()];
    }

    int started() {
        return started;
    }

    /** The highest step that every member has; 0 where one has none. */
    long lowestStep() {
        return steps.isEmpty() ? 0 : steps.firstKey();
    }

    private static TreePMap<Long, Integer> changed(TreePMap<Long, Integer> steps, long step, int by) {
        int count = steps.getOrDefault(step, 0) + by;
        return count == 0 ? steps.minus(step) : steps.plus(step, count);
    }

    /** A task without a place has no step yet, and one that is leaving is not waited for. */
    private static boolean publishes(Task task) {
        boolean placed =
                task.getState() != TaskState.TASK_STATE_UNSPECIFIED && task.getState() != TaskState.TASK_STATE_PENDING;
        return placed && !task.getLeaving();
    }

    private static int startedOne(Task task) {
        return task.getStartedMillis() > 0 ? 1 : 0;
    }
}
