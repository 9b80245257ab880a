package io.surestate.server.job;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import io.surestate.scheduler.PlacementView;
import io.surestate.scheduler.PlacementView.NodeOffer;
import io.surestate.scheduler.pool.DeviceClass;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.NamedAmounts;
import io.surestate.statemachine.state.NodeEntry;

/** Shows a scheduler what is free in a state. */
final class PlacementViews {
    private PlacementViews() {}

    static PlacementView of(StateView view) {
        return new PlacementView(
                view.revision(),
                view.state().nodes().stream()
                        .filter(NodeEntry::schedulable)
                        .map(PlacementViews::offer)
                        .toList());
    }

    /** Entries are never changed: another one has another identity. */
    private static NodeOffer offer(NodeEntry entry) {
        Node node = entry.node();
        return new NodeOffer(node.getName(), entry, node.getSpec().getDomainsList(), () -> row(entry));
    }

    private static NodeRow row(NodeEntry entry) {
        Node node = entry.node();
        NodeRow.Builder row = NodeRow.builder(node.getName())
                .epoch(node.getStatus().getEpoch())
                .memory(entry.capacity().memoryBytes(), entry.free().memoryBytes());
        for (NumaNode place : node.getSpec().getNumaList()) {
            for (int core : place.getCoreIdsList()) {
                row.core(core, entry.free().cores().milli(core), place.getId());
            }
        }
        for (Device device : node.getSpec().getDevicesList()) {
            DeviceClass type = new DeviceClass(
                    device.getKind(),
                    device.getModel(),
                    device.getVendor(),
                    device.getPartition(),
                    device.getMemoryBytes());
            int free = entry.free().devices().milli(device.getOrdinal());
            row.device(device.getOrdinal(), type, device.getNumaNode(), free);
        }
        for (Link link : node.getSpec().getLinksList()) {
            row.link(link.getFromOrdinal(), link.getToOrdinal(), link.getBitsPerSecond());
        }
        goods(row, node.getSpec(), entry.free().named());
        return row.build();
    }

    private static void goods(NodeRow.Builder row, NodeSpec spec, NamedAmounts free) {
        spec.getNicsList()
                .forEach(nic ->
                        row.nic(nic.getName(), nic.getBitsPerSecond(), free.of(NamedAmounts.nicName(nic.getName()))));
        spec.getStorageList()
                .forEach(storage -> row.storage(
                        storage.getName(),
                        storage.getCapacityBytes(),
                        free.of(NamedAmounts.storageName(storage.getName()))));
        spec.getCountablesList()
                .forEach(countable ->
                        row.countable(countable.getName(), countable.getAmount(), free.of(countable.getName())));
    }
}
