package io.surestate.server.job;

import io.surestate.api.v1.Device;
import io.surestate.scheduler.PlacementView;
import io.surestate.scheduler.PlacementView.CoreOffer;
import io.surestate.scheduler.PlacementView.DeviceOffer;
import io.surestate.scheduler.PlacementView.NodeOffer;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.NodeEntry;
import io.surestate.statemachine.state.Shares;
import java.util.ArrayList;
import java.util.List;

/** Shows a scheduler what is free in a state. */
final class PlacementViews {
    private static final int WHOLE_MILLI = 1000;

    private PlacementViews() {}

    static PlacementView of(StateView view) {
        return new PlacementView(
                view.revision(),
                view.state().nodes().stream()
                        .filter(NodeEntry::schedulable)
                        .map(PlacementViews::offer)
                        .toList());
    }

    private static NodeOffer offer(NodeEntry entry) {
        Amounts free = entry.free();
        Shares cores = free.cores();
        List<CoreOffer> coreOffers = new ArrayList<>(cores.size());
        for (int i = 0; i < cores.size(); i++) {
            coreOffers.add(new CoreOffer(cores.idAt(i), cores.milliAt(i)));
        }
        List<DeviceOffer> devices = new ArrayList<>();
        for (Device device : entry.node().getSpec().getDevicesList()) {
            if (free.devices().milli(device.getOrdinal()) == WHOLE_MILLI) {
                devices.add(new DeviceOffer(device.getOrdinal(), device.getKind(), device.getModel()));
            }
        }
        return new NodeOffer(
                entry.node().getName(), entry.node().getStatus().getEpoch(), coreOffers, free.memoryBytes(), devices);
    }
}
