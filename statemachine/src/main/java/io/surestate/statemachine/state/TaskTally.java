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
            steps.merge(task.getCheckpointStep(), 1, Integer::sum);
        }
        return new TaskTally(byState, started, TreePMap.fromSortedMap(steps));
    }

    TaskTally replacing(Task before, Task after) {
        int[] counts = byState.clone();
        counts[before.getState().getNumber()]--;
        counts[after.getState().getNumber()]++;
        return new TaskTally(
                counts,
                started - startedOne(before) + startedOne(after),
                before.getCheckpointStep() == after.getCheckpointStep()
                        ? steps
                        : moved(before.getCheckpointStep(), after.getCheckpointStep()));
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

    private TreePMap<Long, Integer> moved(long from, long to) {
        int left = steps.getOrDefault(from, 0) - 1;
        TreePMap<Long, Integer> rest = left == 0 ? steps.minus(from) : steps.plus(from, left);
        return rest.plus(to, rest.getOrDefault(to, 0) + 1);
    }

    private static int startedOne(Task task) {
        return task.getStartedMillis() > 0 ? 1 : 0;
    }
}
