package io.surestate.testkit.sim;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Resources;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** What a scheduler believes can be had on each node; places are taken from it one after another. Used for one plan. One thread. */
final class SimRoom {
    private static final int WHOLE_MILLI = Amounts.WHOLE_MILLI;

    private final ClusterState state;
    private final Function<NodeEntry, Amounts> there;
    private final List<String> nodes;
    private final TreeMap<String, NodeRoom> opened = new TreeMap<>();

    private static final class NodeRoom {
        private final TreeMap<Integer, Integer> cores = new TreeMap<>();
        private final TreeMap<Integer, Integer> devices = new TreeMap<>();
        private final long epoch;
        private long memoryBytes;

        NodeRoom(NodeEntry entry, Amounts there) {
            epoch = entry.node().getStatus().getEpoch();
            memoryBytes = there.memoryBytes();
            for (NumaNode numa : entry.node().getSpec().getNumaList()) {
                numa.getCoreIdsList()
                        .forEach(core -> cores.put(core, there.cores().milli(core)));
            }
            entry.node()
                    .getSpec()
                    .getDevicesList()
                    .forEach(device ->
                            devices.put(device.getOrdinal(), there.devices().milli(device.getOrdinal())));
        }

        void add(Claim claim, int sign) {
            claim.getCoresList().forEach(core -> cores.merge(core.getCoreId(), sign * core.getMilli(), Integer::sum));
            claim.getDevicesList()
                    .forEach(device -> devices.merge(device.getOrdinal(), sign * device.getMilli(), Integer::sum));
            memoryBytes += sign * claim.getMemoryBytes();
        }

        Optional<Claim> find(Resources asked) {
            Claim.Builder claim = Claim.newBuilder().setMemoryBytes(asked.getMemoryBytes());
            int wholes = (int) (asked.getCpuMillicores() / WHOLE_MILLI);
            int part = (int) (asked.getCpuMillicores() % WHOLE_MILLI);
            for (var core : cores.entrySet()) {
                if (part > 0 && core.getValue() >= part) {
                    claim.addCores(share(core.getKey(), part));
                    part = 0;
                } else if (wholes > 0 && core.getValue() >= WHOLE_MILLI) {
                    claim.addCores(share(core.getKey(), WHOLE_MILLI));
                    wholes--;
                }
            }
            int wanted = 0;
            int milli = WHOLE_MILLI;
            for (DeviceRequest request : asked.getDevicesList()) {
                wanted += request.getCount();
                milli = request.getShareMilli() == 0 ? WHOLE_MILLI : request.getShareMilli();
            }
            for (var device : devices.entrySet()) {
                if (wanted > 0 && device.getValue() >= milli) {
                    claim.addDevices(
                            DeviceShare.newBuilder().setOrdinal(device.getKey()).setMilli(milli));
                    wanted--;
                }
            }
            boolean found = wholes == 0 && part == 0 && wanted == 0 && memoryBytes >= asked.getMemoryBytes();
            return found ? Optional.of(claim.build()) : Optional.empty();
        }

        private static CoreShare share(int core, int milli) {
            return CoreShare.newBuilder().setCoreId(core).setMilli(milli).build();
        }
    }

    /**
     * @param there what of a node can be had
     * @param avoided nodes that are not looked at
     */
    SimRoom(ClusterState state, Function<NodeEntry, Amounts> there, Set<String> avoided, Random random) {
        this.state = state;
        this.there = there;
        this.nodes = new ArrayList<>(state.nodes().stream()
                .filter(NodeEntry::schedulable)
                .map(entry -> entry.node().getName())
                .filter(name -> !avoided.contains(name))
                .toList());
        Collections.shuffle(nodes, random);
    }

    private NodeRoom open(String node) {
        return opened.computeIfAbsent(node, name -> {
            NodeEntry entry = state.node(name).orElseThrow();
            return new NodeRoom(entry, there.apply(entry));
        });
    }

    /** More can be had. */
    void add(String node, Claim claim) {
        open(node).add(claim, 1);
    }

    /** The first place for that, which is taken. */
    Optional<Placement.Builder> take(Resources asked) {
        for (String node : nodes) {
            NodeRoom room = open(node);
            Optional<Claim> claim = room.find(asked);
            if (claim.isPresent()) {
                room.add(claim.get(), -1);
                return Optional.of(Placement.newBuilder()
                        .setNode(node)
                        .setNodeEpoch(room.epoch)
                        .setClaim(claim.get()));
            }
        }
        return Optional.empty();
    }
}
