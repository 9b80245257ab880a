package io.surestate.server.job;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.scheduler.NodeRows;
import io.surestate.scheduler.PlacementView;
import io.surestate.scheduler.PlacementView.NodeOffer;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.server.node.TelemetryBoard;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import io.surestate.statemachine.state.NodeUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Shows a scheduler what is free in a state. */
final class PlacementViews {
    private PlacementViews() {}

    /** @param kept names of nodes that are kept for one gang */
    static PlacementView of(StateView view, TelemetryBoard telemetry, Set<String> kept) {
        return new PlacementView(
                view.revision(),
                view.state().nodes().stream()
                        .filter(NodeEntry::schedulable)
                        .map(entry -> offer(entry, telemetry))
                        .toList(),
                kept);
    }

    /** All that is registered, as if nothing of it were held and every node were there; what is only planned is not. */
    static PlacementView empty(StateView view) {
        return new PlacementView(
                view.revision(),
                view.state().nodes().stream()
                        .filter(NodeEntry::registered)
                        .map(PlacementViews::emptyOffer)
                        .toList());
    }

    /** Nodes that take work, as if nothing were held there; the more is held the later they come. */
    static PlacementView emptied(StateView view) {
        return new PlacementView(
                view.revision(),
                view.state().nodes().stream()
                        .filter(NodeEntry::schedulable)
                        .map(PlacementViews::emptied)
                        .toList());
    }

    private static NodeOffer emptied(NodeEntry entry) {
        Node node = entry.node();
        int quarters = quartersHeld(entry);
        return new NodeOffer(
                node.getName(),
                List.of(node.getSpec(), node.getStatus().getQuarantinedList(), quarters),
                node.getSpec().getDomainsList(),
                () -> row(entry, entry.usable(), quarters));
    }

    /** Of cores, memory or devices, whichever is held most. */
    private static int quartersHeld(NodeEntry entry) {
        NodeUsage usage = entry.usage();
        long cores = 4 * usage.takenCoreMilli() / Math.max(1, usage.capacityCoreMilli());
        long devices = 4 * usage.takenDeviceMilli() / Math.max(1, usage.capacityDeviceMilli());
        long memory = usage.takenMemoryBytes() / Math.max(1, usage.capacityMemoryBytes() / 4);
        return (int) Math.max(memory, Math.max(cores, devices));
    }

    /** As {@link #of}, as if a running job had left all of its places. */
    static PlacementView without(StateView view, TelemetryBoard telemetry, Set<String> kept, JobEntry gone) {
        String uid = gone.job().getUid();
        TreeMap<String, List<Allocation>> places = new TreeMap<>();
        Stream.concat(
                        gone.tasks().stream()
                                .flatMap(task ->
                                        view.state().allocation(task.getNode(), task.getAllocationId()).stream())
                                .filter(place -> place.getState() == AllocationState.ALLOCATION_STATE_BOUND),
                        view.state().sparesOf(uid).stream())
                .forEach(place -> places.computeIfAbsent(place.getNode(), any -> new ArrayList<>())
                        .add(place));
        return new PlacementView(
                view.revision(),
                view.state().nodes().stream()
                        .filter(NodeEntry::schedulable)
                        .map(entry -> Optional.ofNullable(
                                        places.get(entry.node().getName()))
                                .map(left -> offer(entry, telemetry, uid, entry.freeWithout(left)))
                                .orElseGet(() -> offer(entry, telemetry)))
                        .toList(),
                kept);
    }

    /**
     * Entries are never changed: another one has another identity.
     *
     * @param without job that is seen as gone; empty = none
     */
    private record Version(NodeEntry entry, int strain, String without) {}

    private static NodeOffer offer(NodeEntry entry, TelemetryBoard telemetry) {
        return offer(entry, telemetry, "", entry.free());
    }

    private static NodeOffer offer(NodeEntry entry, TelemetryBoard telemetry, String without, Amounts free) {
        Node node = entry.node();
        int strain = telemetry.strain(node.getName());
        return new NodeOffer(
                node.getName(),
                new Version(entry, strain, without),
                node.getSpec().getDomainsList(),
                () -> row(entry, free, strain),
                telemetry.of(node.getName()));
    }

    private static NodeOffer emptyOffer(NodeEntry entry) {
        NodeSpec spec = entry.node().getSpec();
        return new NodeOffer(
                entry.node().getName(), spec, spec.getDomainsList(), () -> row(entry, entry.capacity(), 0));
    }

    private static NodeRow row(NodeEntry entry, Amounts free, int strain) {
        Node node = entry.node();
        return NodeRows.of(node.getName(), node.getSpec(), free)
                .epoch(node.getStatus().getEpoch())
                .strain(strain)
                .build();
    }
}
