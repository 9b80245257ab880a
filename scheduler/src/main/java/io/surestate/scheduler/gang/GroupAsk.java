package io.surestate.scheduler.gang;

import io.surestate.api.v1.Topology;
import io.surestate.scheduler.pool.Shape;

/**
 * A group of alike tasks. Immutable.
 *
 * @param count tasks, at least 1
 * @param fewest tasks with which it may start, 1 to the count
 * @param spares places that are kept empty beside the tasks, of each slice where the group is cut; had where there is room
 * @param topology admitted: levels are named where they are needed, slices divide count and fewest
 */
public record GroupAsk(String name, Shape shape, int count, int fewest, int spares, Topology topology) {
    /** All of its tasks or none. */
    public GroupAsk(String name, Shape shape, int count, Topology topology) {
        this(name, shape, count, count, 0, topology);
    }

    GroupAsk withCount(int tasks) {
        return new GroupAsk(name, shape, tasks, Math.min(fewest, tasks), 0, topology);
    }

    /** Tasks that go together: a slice, or all. */
    int slice() {
        return topology.getSliceTasks() == 0 ? count : topology.getSliceTasks();
    }

    /** Places to be found, spare ones included. */
    int places() {
        return Math.toIntExact(count + (long) spares * (count / slice()));
    }

    /** By how many tasks it may be larger or smaller. */
    int step() {
        return Math.max(1, topology.getSliceTasks());
    }
}
