package io.surestate.server.job;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.Quarantine;
import io.surestate.server.node.TelemetryBoard;
import io.surestate.statemachine.ledger.Drains;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A gang that must leave some of its places.
 *
 * @param places BOUND, not empty
 * @param reason why, for people
 * @param distressed because of how a node is doing at the moment, which only other nodes can mend
 */
record Displaced(String jobUid, List<Allocation> places, String reason, boolean distressed) {
    Displaced {
        places = List.copyOf(places);
    }

    /** Why one place is to be left. */
    private record Cause(String reason, boolean distressed) {}

    /** All of them, by uid, which is by age. A drain tells everybody to leave, ill devices and hot nodes only who is movable. */
    static List<Displaced> in(ClusterState state, TelemetryBoard telemetry) {
        TreeMap<String, List<Allocation>> places = new TreeMap<>();
        TreeMap<String, Cause> causes = new TreeMap<>();
        for (NodeEntry node : state.nodes()) {
            Optional<String> distress = telemetry.distress(node.node().getName());
            boolean some = node.draining()
                    || distress.isPresent()
                    || node.node().getStatus().getQuarantinedCount() > 0;
            if (!some) {
                continue;
            }
            for (Allocation place : node.allocations()) {
                if (place.hasTask() && place.getState() == AllocationState.ALLOCATION_STATE_BOUND) {
                    cause(state, node, distress, place).ifPresent(cause -> {
                        String uid = place.getTask().getJobUid();
                        places.computeIfAbsent(uid, any -> new ArrayList<>()).add(place);
                        causes.putIfAbsent(uid, cause);
                    });
                }
            }
        }
        return causes.entrySet().stream()
                .map(gang -> new Displaced(
                        gang.getKey(),
                        places.getOrDefault(gang.getKey(), List.of()),
                        gang.getValue().reason(),
                        gang.getValue().distressed()))
                .toList();
    }

    private static Optional<Cause> cause(
            ClusterState state, NodeEntry node, Optional<String> distress, Allocation place) {
        if (node.draining()) {
            return Optional.of(new Cause(Drains.reason(node), false));
        }
        boolean movable = state.job(place.getTask().getJobUid())
                .map(entry -> entry.job().getSpec().getMovable())
                .orElse(false);
        if (!movable) {
            return Optional.empty();
        }
        String name = node.node().getName();
        return node.node().getStatus().getQuarantinedList().stream()
                .filter(quarantine -> holds(place, quarantine.getOrdinal()))
                .findFirst()
                .map(quarantine -> new Cause(words(name, quarantine), false))
                .or(() -> distress.map(reading -> new Cause("node " + name + " is not well: " + reading, true)));
    }

    private static boolean holds(Allocation place, int ordinal) {
        return place.getClaim().getDevicesList().stream()
                .map(DeviceShare::getOrdinal)
                .anyMatch(held -> held == ordinal);
    }

    private static String words(String node, Quarantine quarantine) {
        return "device " + quarantine.getOrdinal() + " of node " + node + " is quarantined: " + quarantine.getReason();
    }
}
