package io.surestate.api;

import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.TaskGroup;

/** How many tasks and spare places a group may have. Pure; of an admitted group. */
public final class GroupSize {
    private GroupSize() {}

    /** Fewest tasks with which the group may run, at least 1. */
    public static int min(TaskGroup group) {
        return group.getMinCount() == 0 ? group.getCount() : group.getMinCount();
    }

    /** Tasks that are wanted at present, {@link #min} to the count. */
    public static int target(TaskGroup group) {
        return group.getTargetCount() == 0 ? group.getCount() : group.getTargetCount();
    }

    /** Whether tasks may join and leave the group while it runs. */
    public static boolean elastic(TaskGroup group) {
        return min(group) < group.getCount();
    }

    /** Spare places in all: of each slice where the group is cut. */
    public static int spares(TaskGroup group) {
        return Math.toIntExact((long) group.getSpares() * slices(group));
    }

    /** Places of all groups of a job at most: tasks and spare ones. */
    public static int places(JobSpec spec) {
        return spec.getGroupsList().stream()
                .mapToInt(group -> group.getCount() + spares(group))
                .sum();
    }

    /** Whether an index means a spare place; spare places come after the tasks, slice after slice. */
    public static boolean isSpare(TaskGroup group, int index) {
        return index >= group.getCount() && index - group.getCount() < spares(group);
    }

    /** The slice that a task or a spare place belongs to, from 0; 0 where the group is not cut. */
    public static int slice(TaskGroup group, int index) {
        if (isSpare(group, index)) {
            return (index - group.getCount()) / group.getSpares();
        }
        int size = group.getTopology().getSliceTasks();
        return size == 0 ? 0 : index / size;
    }

    private static int slices(TaskGroup group) {
        int size = group.getTopology().getSliceTasks();
        return size == 0 ? 1 : group.getCount() / size;
    }
}
