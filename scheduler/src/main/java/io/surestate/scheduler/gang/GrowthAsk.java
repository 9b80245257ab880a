package io.surestate.scheduler.gang;

import io.surestate.api.v1.Topology;
import io.surestate.scheduler.pool.NodeSet;
import io.surestate.scheduler.pool.Shape;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * More tasks for a group of a gang that runs. Immutable.
 *
 * @param open indexes of the tasks that are wanted and have no place, ascending
 * @param joined node of each task that has a place, by index
 * @param gangNodes where anything of the gang runs
 * @param topology of the group
 * @param gangTopology of all groups together
 */
public record GrowthAsk(
        String name,
        Shape shape,
        List<Integer> open,
        SortedMap<Integer, Integer> joined,
        NodeSet gangNodes,
        Topology topology,
        Topology gangTopology) {
    public GrowthAsk {
        open = List.copyOf(open);
        joined = new TreeMap<>(joined);
    }
}
