package io.surestate.agent.cgroup;

import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * What a task is held to. Immutable.
 *
 * @param cores it runs on; empty = those of the node
 * @param numaPlaces its memory lies in; empty = those of the node
 * @param cpuMilli thousandths of a core that it may use up in all; 0 = all of its cores
 * @param memoryBytes 0 = unbounded
 * @param processes and threads at a time; 0 = unbounded
 * @param denied device nodes that it may not open
 */
public record Bounds(
        NavigableSet<Integer> cores,
        NavigableSet<Integer> numaPlaces,
        long cpuMilli,
        long memoryBytes,
        long processes,
        List<DeviceNode> denied) {
    public Bounds {
        cores = Collections.unmodifiableNavigableSet(new TreeSet<>(cores));
        numaPlaces = Collections.unmodifiableNavigableSet(new TreeSet<>(numaPlaces));
        denied = List.copyOf(denied);
    }
}
