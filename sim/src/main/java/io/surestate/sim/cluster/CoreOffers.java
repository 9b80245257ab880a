package io.surestate.sim.cluster;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.scheduler.PlacementView;
import io.surestate.scheduler.PlacementView.NodeOffer;
import io.surestate.scheduler.pool.DeviceClass;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NamedAmounts;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows a scheduler what is free in a state, as servers do; keeps the offers of nodes that do not change. Used by one thread. */
public final class CoreOffers {
    private final Map<String, NodeOffer> known = new LinkedHashMap<>();

    /** All nodes that take work. */
    public PlacementView of(ClusterState state) {
        List<NodeOffer> offers = new ArrayList<>(state.nodes().size());
        for (NodeEntry entry : state.nodes()) {
            if (entry.schedulable()) {
                offers.add(offer(entry));
            }
        }
        return new PlacementView(state.revision(), offers);
    }

    /** Entries are never changed: another one has another identity. */
    private NodeOffer offer(NodeEntry entry) {
        Node node = entry.node();
        Optional<NodeOffer> before = Optional.ofNullable(known.get(node.getName()));
        if (before.isPresent() && before.get().version() == entry) {
            return before.get();
        }
        NodeOffer offer = new NodeOffer(
                node.getName(),
                entry,
                node.getSpec().getDomainsList(),
                () -> row(node, entry.capacity(), entry.free()));
        known.put(node.getName(), offer);
        return offer;
    }

    private static NodeRow row(Node node, Amounts capacity, Amounts free) {
        NodeSpec spec = node.getSpec();
        NodeRow.Builder row = NodeRow.builder(node.getName())
                .epoch(node.getStatus().getEpoch())
                .memory(capacity.memoryBytes(), free.memoryBytes());
        spec.getNumaList()
                .forEach(place -> place.getCoreIdsList()
                        .forEach(core -> row.core(core, free.cores().milli(core), place.getId())));
        for (Device device : spec.getDevicesList()) {
            DeviceClass type = new DeviceClass(
                    device.getKind(),
                    device.getModel(),
                    device.getVendor(),
                    device.getPartition(),
                    device.getMemoryBytes());
            row.device(
                    device.getOrdinal(),
                    type,
                    device.getNumaNode(),
                    free.devices().milli(device.getOrdinal()));
        }
        spec.getLinksList()
                .forEach(link -> row.link(link.getFromOrdinal(), link.getToOrdinal(), link.getBitsPerSecond()));
        NamedAmounts named = free.named();
        spec.getNicsList()
                .forEach(nic ->
                        row.nic(nic.getName(), nic.getBitsPerSecond(), named.of(NamedAmounts.nicName(nic.getName()))));
        spec.getStorageList()
                .forEach(storage -> row.storage(
                        storage.getName(),
                        storage.getCapacityBytes(),
                        named.of(NamedAmounts.storageName(storage.getName()))));
        spec.getCountablesList()
                .forEach(countable ->
                        row.countable(countable.getName(), countable.getAmount(), named.of(countable.getName())));
        return row.build();
    }
}
