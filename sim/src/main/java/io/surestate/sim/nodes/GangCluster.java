package io.surestate.sim.nodes;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.scheduler.fabric.Fabric;
import io.surestate.sim.cluster.VirtualCluster;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where gangs are replayed: a cluster as it stands, and of its accelerators those of one kind that are whole, free and on nodes that take work.
 * What is held when the replay begins stays held. Immutable.
 */
public final class GangCluster {
    private static final List<DeviceKind> KINDS =
            List.of(DeviceKind.DEVICE_KIND_GPU, DeviceKind.DEVICE_KIND_NPU, DeviceKind.DEVICE_KIND_QPU);

    private final ClusterState start;
    private final DeviceKind kind;
    private final Fabric fabric;
    private final Map<String, Integer> indices = new LinkedHashMap<>();
    private final int[] free;
    private final int total;

    private GangCluster(ClusterState start) {
        this.start = start;
        List<NodeEntry> nodes =
                start.nodes().stream().filter(NodeEntry::schedulable).toList();
        this.kind = KINDS.stream()
                .filter(one -> nodes.stream().anyMatch(node -> free(node, one) > 0))
                .findFirst()
                .orElse(KINDS.get(0));
        List<List<Domain>> paths = new ArrayList<>();
        for (NodeEntry entry : nodes) {
            indices.put(entry.node().getName(), paths.size());
            paths.add(entry.node().getSpec().getDomainsList());
        }
        this.fabric = Fabric.of(paths);
        this.free = nodes.stream().mapToInt(node -> free(node, kind)).toArray();
        this.total = Arrays.stream(free).sum();
    }

    /** A cluster of nothing but these nodes, each with an agent. */
    public static GangCluster of(List<Node> nodes) {
        VirtualCluster cluster = VirtualCluster.empty();
        nodes.forEach(node -> cluster.register(node.getName(), node.getSpec()));
        return of(cluster);
    }

    /** A cluster as it stands now. */
    public static GangCluster of(VirtualCluster cluster) {
        return new GangCluster(cluster.state());
    }

    private static int free(NodeEntry entry, DeviceKind kind) {
        NodeSpec spec = entry.node().getSpec();
        int count = 0;
        for (Device device : spec.getDevicesList()) {
            boolean whole = device.getKind() == kind
                    && device.getPartition().isEmpty()
                    && entry.free().devices().milli(device.getOrdinal()) == Amounts.WHOLE_MILLI;
            count += whole ? 1 : 0;
        }
        return count;
    }

    /** A fresh cluster that begins like this one. */
    VirtualCluster begin() {
        return VirtualCluster.of(start);
    }

    /** Of the accelerators that gangs are made of. */
    public DeviceKind kind() {
        return kind;
    }

    /** Free accelerators, at least 0. */
    public int total() {
        return total;
    }

    /** Allocations that stand when a replay begins, and as long as it goes on. */
    public int held() {
        return start.counts().allocations();
    }

    /** Levels of the fabric that nodes name, outermost first. */
    public List<String> levels() {
        return fabric.levels();
    }

    /** Free accelerators of the roomiest domain of a level. */
    public int roomiest(String level) {
        return fabric.domains(level).stream()
                .mapToInt(domain ->
                        domain.nodes().stream().map(node -> free[node]).sum())
                .max()
                .orElse(0);
    }

    Fabric fabric() {
        return fabric;
    }

    int index(String node) {
        return indices.getOrDefault(node, -1);
    }

    /** By node index; a copy. */
    int[] free() {
        return free.clone();
    }
}
