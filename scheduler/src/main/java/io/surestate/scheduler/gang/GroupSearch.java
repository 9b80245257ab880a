package io.surestate.scheduler.gang;

import io.surestate.api.v1.Topology;
import io.surestate.scheduler.fabric.Fabric;
import io.surestate.scheduler.fabric.FabricDomain;
import io.surestate.scheduler.pool.NodeSet;
import io.surestate.scheduler.pool.Place;
import io.surestate.scheduler.pool.Placer;
import io.surestate.scheduler.pool.Pool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Places for all tasks and spares of one group within a room of nodes, taken in the pool, or none. Asks that name no room of their own are met as the
 * gang's arrangement says.
 */
final class GroupSearch {
    private final Pool pool;
    private final Placer placer;
    private final Fabric fabric;
    private final GroupAsk group;
    private final RoomCount count;
    private final Arrangement arrangement;

    GroupSearch(Pool pool, Placer placer, Fabric fabric, GroupAsk group, NodeSet room, Arrangement arrangement) {
        this.pool = pool;
        this.placer = placer;
        this.fabric = fabric;
        this.group = group;
        this.count = new RoomCount(pool, group.shape(), room);
        this.arrangement = arrangement;
    }

    /** All of the group's places, or none. */
    Optional<List<Place>> in(NodeSet room) {
        for (NodeSet narrower : new Rooms(fabric, count).of(group.topology(), room, group.places())) {
            List<Place> places = fill(narrower);
            if (places.size() == group.places()) {
                return Optional.of(places);
            }
            placer.undo(places);
        }
        return Optional.empty();
    }

    private List<Place> fill(NodeSet room) {
        Topology topology = group.topology();
        if (topology.getSliceTasks() > 0) {
            return slices(room, topology);
        }
        if (!topology.getSpread().isEmpty()) {
            return spread(room, topology);
        }
        if (arrangement == Arrangement.NEAR || !topology.getPack().isEmpty()) {
            return near(room, 0, group.places());
        }
        return arrangement == Arrangement.APART ? apart(room) : take(room, group.places());
    }

    /** By the policy's order. */
    private List<Place> take(NodeSet room, int tasks) {
        return room.size() < pool.size()
                ? placer.placeUpTo(group.shape(), tasks, room)
                : placer.placeUpTo(group.shape(), tasks);
    }

    /** In the innermost domain that has room for all; where none has, in as few of the outermost as can be, in each of them near again. */
    private List<Place> near(NodeSet room, int depth, int tasks) {
        List<String> levels = fabric.levels();
        for (int inner = levels.size() - 1; inner >= depth; inner--) {
            Optional<FabricDomain> tightest = fabric.domains(levels.get(inner), room).stream()
                    .filter(domain -> count.in(domain.nodes()) >= tasks)
                    .min(Comparator.comparingLong(domain -> count.in(domain.nodes())));
            if (tightest.isPresent()) {
                List<Place> places = take(tightest.get().nodes(), tasks);
                if (places.size() == tasks) {
                    return places;
                }
                placer.undo(places);
            }
        }
        if (depth == levels.size()) {
            return take(room, tasks);
        }
        List<Place> places = new ArrayList<>();
        for (FabricDomain domain : fewest(roomiestFirst(levels.get(depth), room), tasks)) {
            int rest = tasks - places.size();
            places.addAll(near(domain.nodes(), depth + 1, (int) Math.min(rest, count.in(domain.nodes()))));
        }
        // Nodes that are in no domain of this level.
        places.addAll(take(room, tasks - places.size()));
        return places;
    }

    /** Domains that have room for so many tasks together: the largest first, the last the tightest that has room for the rest. */
    private List<FabricDomain> fewest(List<FabricDomain> roomiestFirst, long tasks) {
        List<FabricDomain> left = new ArrayList<>(roomiestFirst);
        List<FabricDomain> chosen = new ArrayList<>();
        long rest = tasks;
        while (rest > 0 && !left.isEmpty()) {
            long wanted = rest;
            FabricDomain next = left.stream()
                    .filter(domain -> count.in(domain.nodes()) >= wanted)
                    .reduce((larger, smaller) -> smaller)
                    .orElse(left.get(0));
            left.remove(next);
            chosen.add(next);
            rest -= count.in(next.nodes());
        }
        return chosen;
    }

    private List<Place> slices(NodeSet room, Topology topology) {
        int size = topology.getSliceTasks() + group.spares();
        List<Place> places = new ArrayList<>();
        for (FabricDomain domain : roomiestFirst(topology.getSliceLevel(), room)) {
            long slices = Math.min(count.in(domain.nodes()), group.places() - places.size()) / size;
            for (long slice = 0; slice < slices; slice++) {
                List<Place> one = take(domain.nodes(), size);
                if (one.size() < size) {
                    placer.undo(one);
                    break;
                }
                places.addAll(one);
            }
        }
        return places;
    }

    /** One task for each domain in turn, until all are placed or every domain has what it may have. */
    private List<Place> spread(NodeSet room, Topology topology) {
        List<FabricDomain> domains = roomiestFirst(topology.getSpread(), room);
        List<Place> places = new ArrayList<>();
        for (int round = 0; round < Math.max(1, topology.getMaxPerDomain()); round++) {
            for (FabricDomain domain : domains) {
                places.addAll(take(domain.nodes(), Math.min(1, group.places() - places.size())));
            }
        }
        return places;
    }

    /** One task for each of the innermost domains in turn, the roomiest first; where there is one domain at most, for each node. */
    private List<Place> apart(NodeSet room) {
        List<NodeSet> parts = fabric.levels().stream()
                .map(level -> roomiestFirst(level, room))
                .filter(domains -> domains.size() > 1)
                .reduce((outer, inner) -> inner)
                .map(domains -> domains.stream().map(FabricDomain::nodes).toList())
                .orElseGet(() -> room.stream().mapToObj(NodeSet::of).toList());
        List<Place> places = new ArrayList<>();
        int before = -1;
        while (places.size() < group.places() && places.size() > before) {
            before = places.size();
            for (NodeSet part : parts) {
                places.addAll(take(part, Math.min(1, group.places() - places.size())));
            }
        }
        // Nodes that are in no domain of this level.
        places.addAll(take(room, group.places() - places.size()));
        return places;
    }

    private List<FabricDomain> roomiestFirst(String level, NodeSet room) {
        return fabric.domains(level, room).stream()
                .sorted(Comparator.comparingLong(domain -> -count.in(domain.nodes())))
                .toList();
    }
}
