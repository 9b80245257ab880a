package io.surestate.server.job;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.Node;
import io.surestate.scheduler.PlacementView;
import io.surestate.scheduler.PlacementView.NodeOffer;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.NodeEntry;
import io.surestate.statemachine.state.Shares;

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
        Shares cores = entry.free().cores();
        Shares devices = entry.free().devices();
        NodeRow.Builder row = NodeRow.builder(node.getName())
                .epoch(node.getStatus().getEpoch())
                .memory(entry.capacity().memoryBytes(), entry.free().memoryBytes());
        for (int i = 0; i < cores.size(); i++) {
            row.core(cores.idAt(i), cores.milliAt(i));
        }
        for (Device device : node.getSpec().getDevicesList()) {
            row.device(device.getOrdinal(), device.getKind(), device.getModel(), devices.milli(device.getOrdinal()));
        }
        return row.build();
    }
}
