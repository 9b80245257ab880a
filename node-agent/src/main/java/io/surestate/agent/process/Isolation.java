package io.surestate.agent.process;

import io.surestate.agent.cgroup.Bounds;
import io.surestate.agent.cgroup.ControlGroup;
import io.surestate.agent.cgroup.ControlGroups;
import io.surestate.agent.cgroup.DeviceNode;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps tasks to what they hold on this node. Safe between threads.
 *
 * @param groups empty = tasks are told what they hold and trusted
 * @param node as it was discovered last
 * @param processesMax of one task, threads included
 */
public record Isolation(Optional<ControlGroups> groups, Supplier<NodeSpec> node, long processesMax) {
    private static final Logger LOG = LoggerFactory.getLogger(Isolation.class);
    private static final int WHOLE_CORE_MILLI = 1_000;

    /** Tasks are told what they hold and trusted. */
    public static Isolation none(Supplier<NodeSpec> node) {
        return new Isolation(Optional.empty(), node, 0);
    }

    Optional<ControlGroup> group(String allocationId) {
        return groups.map(all -> all.of(allocationId));
    }

    /** The group that an OCI runtime makes in a task's, relative to the kernel's hierarchies; empty = the task has none. */
    String inner(String allocationId) {
        return groups.map(all -> all.place(allocationId) + "/box").orElse("");
    }

    /** Removes what was left of groups whose allocations are not known, unless something runs in them. */
    void sweep(Set<String> known) {
        if (groups.isEmpty()) {
            return;
        }
        try {
            for (String id : groups.get().present()) {
                if (!known.contains(id) && !groups.get().of(id).remove()) {
                    LOG.warn("event=unknown-control-group allocation={}", id);
                }
            }
        } catch (IOException e) {
            LOG.warn("event=control-groups-unseen error=\"{}\"", e.toString());
        }
    }

    /** Leaves no folder in the kernel where no task needs one. */
    void close() {
        groups.ifPresent(ControlGroups::close);
    }

    GrantedDevices devices(DesiredTask task) {
        return GrantedDevices.of(
                task.getAllocation().getClaim(), task.getGroup().getNetwork(), node.get());
    }

    Bounds bounds(DesiredTask task) {
        Claim claim = task.getAllocation().getClaim();
        NavigableSet<Integer> cores = new TreeSet<>();
        long cpuMilli = 0;
        for (CoreShare core : claim.getCoresList()) {
            cores.add(core.getCoreId());
            cpuMilli += core.getMilli();
        }
        boolean wholeCores = cpuMilli == (long) cores.size() * WHOLE_CORE_MILLI;
        return new Bounds(
                cores,
                task.getGroup().getResources().getNumaAligned() ? numaPlaces(cores) : new TreeSet<>(),
                wholeCores ? 0 : cpuMilli,
                claim.getMemoryBytes(),
                processesMax,
                denied(task));
    }

    /** To tasks with an image their runtime denies all but a few, and cannot do so in a group that denies some. */
    private List<DeviceNode> denied(DesiredTask task) {
        return task.getGroup().getImage().isEmpty()
                ? devices(task).deniedFiles().stream()
                        .flatMap(file -> DeviceNode.of(Path.of(file)).stream())
                        .distinct()
                        .toList()
                : List.of();
    }

    /** Those that its cores are in. */
    private NavigableSet<Integer> numaPlaces(NavigableSet<Integer> cores) {
        NavigableSet<Integer> places = new TreeSet<>();
        for (NumaNode place : node.get().getNumaList()) {
            if (place.getCoreIdsList().stream().anyMatch(cores::contains)) {
                places.add(place.getId());
            }
        }
        return places;
    }
}
