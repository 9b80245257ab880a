package io.surestate.testkit.example;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Quarantine;
import io.surestate.api.v1.Resources;
import io.surestate.client.ClusterPicture;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is left of a node while a plan is made: what it has, less every allocation on it. One thread. */
final class FreeNode {
    private static final int WHOLE = 1_000;

    private final Node node;
    private final TreeMap<Integer, Integer> coreMilli = new TreeMap<>();
    private final TreeMap<Integer, Device> devices = new TreeMap<>();
    private long memoryBytes;

    private FreeNode(Node node, Iterable<Allocation> held) {
        this.node = node;
        memoryBytes = node.getSpec().getMemoryBytes();
        node.getSpec().getNumaList().forEach(numa -> numa.getCoreIdsList().forEach(core -> coreMilli.put(core, WHOLE)));
        for (Device device : node.getSpec().getDevicesList()) {
            if (device.getHealth() == DeviceHealth.DEVICE_HEALTH_HEALTHY) {
                devices.put(device.getOrdinal(), device);
            }
        }
        for (Quarantine quarantined : node.getStatus().getQuarantinedList()) {
            devices.remove(quarantined.getOrdinal());
        }
        held.forEach(allocation -> subtract(allocation.getClaim()));
    }

    /** Every node that takes something new. */
    static List<FreeNode> all(ClusterPicture now) {
        return now.nodes().stream()
                .filter(node -> node.getStatus().getState() == NodeState.NODE_STATE_READY)
                .map(node -> new FreeNode(node, now.allocations(node.getName())))
                .toList();
    }

    /** Takes a place for one task; empty = it does not fit. */
    Optional<Placement.Builder> take(Resources asked) {
        Optional<Claim> claim = claim(asked);
        claim.ifPresent(this::subtract);
        return claim.map(taken -> Placement.newBuilder()
                .setNode(node.getName())
                .setNodeEpoch(node.getStatus().getEpoch())
                .setClaim(taken));
    }

    private void subtract(Claim claim) {
        memoryBytes -= claim.getMemoryBytes();
        claim.getCoresList().forEach(core -> coreMilli.merge(core.getCoreId(), -core.getMilli(), Integer::sum));
        claim.getDevicesList().forEach(share -> devices.remove(share.getOrdinal()));
    }

    private Optional<Claim> claim(Resources asked) {
        TreeMap<Integer, CoreShare> cores = new TreeMap<>();
        for (long left = asked.getCpuMillicores(); left > 0; left -= WHOLE) {
            int milli = (int) Math.min(left, WHOLE);
            Optional<Integer> core = coreMilli.entrySet().stream()
                    .filter(free -> free.getValue() >= milli && !cores.containsKey(free.getKey()))
                    .map(free -> free.getKey())
                    .findFirst();
            if (core.isEmpty()) {
                return Optional.empty();
            }
            cores.put(
                    core.get(),
                    CoreShare.newBuilder().setCoreId(core.get()).setMilli(milli).build());
        }
        Claim.Builder claim = Claim.newBuilder().addAllCores(cores.values()).setMemoryBytes(asked.getMemoryBytes());
        TreeMap<Integer, Device> left = new TreeMap<>(devices);
        for (DeviceRequest request : asked.getDevicesList()) {
            List<Integer> fitting = left.values().stream()
                    .filter(device -> device.getKind() == request.getKind())
                    .map(Device::getOrdinal)
                    .limit(request.getCount())
                    .collect(Collectors.toList());
            if (fitting.size() < request.getCount()) {
                return Optional.empty();
            }
            left.keySet().removeAll(fitting);
            fitting.forEach(ordinal -> claim.addDevices(
                    DeviceShare.newBuilder().setOrdinal(ordinal).setMilli(WHOLE)));
        }
        return asked.getMemoryBytes() <= memoryBytes ? Optional.of(claim.build()) : Optional.empty();
    }
}
