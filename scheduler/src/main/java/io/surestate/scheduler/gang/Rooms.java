package io.surestate.scheduler.gang;

import io.surestate.api.v1.Topology;
import io.surestate.scheduler.fabric.Fabric;
import io.surestate.scheduler.fabric.FabricDomain;
import io.surestate.scheduler.pool.NodeSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The rooms in which a topology lets tasks be placed, the best first: the innermost allowed level, and of one level the tightest room. */
final class Rooms {
    /** More are not tried: each that fails has been filled nearly whole. */
    private static final int ROOMS_MAX = 32;

    private final Fabric fabric;
    private final RoomCount count;

    Rooms(Fabric fabric, RoomCount count) {
        this.fabric = fabric;
        this.count = count;
    }

    List<NodeSet> of(Topology topology, NodeSet room, long tasks) {
        List<NodeSet> outer =
                topology.getWithin().isEmpty() ? List.of(room) : fitting(topology.getWithin(), room, tasks);
        if (topology.getPack().isEmpty()) {
            return outer;
        }
        List<NodeSet> rooms = new ArrayList<>();
        for (String level : levels(topology)) {
            outer.forEach(within -> rooms.addAll(fitting(level, within, tasks)));
        }
        if (!topology.getRequired()) {
            rooms.addAll(outer);
        }
        return rooms.subList(0, Math.min(rooms.size(), ROOMS_MAX));
    }

    private List<String> levels(Topology topology) {
        if (!fabric.has(topology.getPack())) {
            return List.of();
        }
        return topology.getRequired() ? List.of(topology.getPack()) : fabric.outwards(topology.getPack());
    }

    private List<NodeSet> fitting(String level, NodeSet room, long tasks) {
        return fabric.domains(level, room).stream()
                .map(FabricDomain::nodes)
                .filter(nodes -> count.in(nodes) >= tasks)
                .sorted(Comparator.comparingLong(count::in))
                .toList();
    }
}
