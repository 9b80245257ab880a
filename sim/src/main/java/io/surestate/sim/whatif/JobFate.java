package io.surestate.sim.whatif;

import io.surestate.api.v1.TaskRef;
import java.util.List;

/**
 * What becomes of a job.
 *
 * @param tasks of all its groups
 * @param lost tasks that it loses with their nodes, with these, in the order of nodes
 * @param places where its tasks are then, node by node in the order of ranks; none where it is not placed
 * @param reason why it is not placed; empty = it is
 */
public record JobFate(String tenant, String name, int tasks, List<Lost> lost, List<NodeTasks> places, String reason) {
    /** A task and the node that it was on. */
    public record Lost(TaskRef task, String node) {}

    /** How many tasks are on a node. */
    public record NodeTasks(String node, int tasks) {}

    public JobFate {
        lost = List.copyOf(lost);
        places = List.copyOf(places);
    }

    public boolean placed() {
        return reason.isEmpty();
    }
}
