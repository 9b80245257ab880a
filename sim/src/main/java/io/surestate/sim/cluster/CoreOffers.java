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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows a scheduler what is free in a state, as servers do; keeps the offers of nodes that do not change. Used by one thread. */
public final class CoreOffers {
    /** Of the last view. */
    private final List<NodeOffer> shown = new ArrayList<>();

    private final Map<String, Integer> positions = new LinkedHashMap<>();

    /** All nodes that take work. */
    public PlacementView of(ClusterState state) {
        List<NodeOffer> offers = new ArrayList<>(state.nodes().size());
        for (NodeEntry entry : state.nodes()) {
            if (entry.schedulable()) {
                offers.add(offer(entry));
            }
        }
        shown.clear();
        positions.clear();
        for (NodeOffer offer : offers) {
            positions.put(offer.name(), shown.size());
            shown.add(offer);
        }
        return new PlacementView(state.revision(), offers);
    }

    /**
     * The same, quicker, where no nodes came or went since the last view.
     *
     * @param changed all nodes that changed since then
     */
    public PlacementView of(ClusterState state, Collection<String> changed) {
        if (shown.isEmpty()) {
            return of(state);
        }
        for (String name : changed) {
            shown.set(positions.getOrDefault(name, -1), offer(state.node(name).orElseThrow()));
        }
        return new PlacementView(state.revision(), shown);
    }

    /** Entries are never changed: another one has another identity. */
    private NodeOffer offer(NodeEntry entry) {
        Node node = entry.node();
        int before = positions.getOrDefault(node.getName(), -1);
        if (before >= 0 && shown.get(before).version() == entry) {
            return shown.get(before);
        }
        return new NodeOffer(
                node.getName(),
                entry,
                node.getSpec().getDomainsList(),
                () -> row(node, entry.capacity(), entry.free()));
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
