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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Places for more tasks of a gang that runs: in the domains that its topology binds it to, as near to the others as there is room, and as many
 * as there is room for. Of a slice all that is open, or nothing. One thread, the pool's; void once the pool's indices move.
 */
public final class GrowthSearch {
    private final Pool pool;
    private final Placer placer;
    private final Fabric fabric;

    public GrowthSearch(Pool pool, Placer placer, Fabric fabric) {
        this.pool = pool;
        this.placer = placer;
        this.fabric = fabric;
    }

    /**
     * Takes their room.
     *
     * @param allowed the nodes that may be taken
     */
    public List<TaskPlace> place(GrowthAsk ask, NodeSet allowed) {
        NodeSet room = bound(ask, allowed);
        List<TaskPlace> tasks = new ArrayList<>();
        if (ask.topology().getSliceTasks() > 0) {
            slices(ask).forEach((slice, open) -> tasks.addAll(slice(ask, slice, open, room)));
        } else {
            List<Place> places =
                    ask.topology().getSpread().isEmpty() ? near(ask, ask.open().size(), room) : spread(ask, room);
            for (int i = 0; i < places.size(); i++) {
                tasks.add(new TaskPlace(ask.name(), ask.open().get(i), places.get(i)));
            }
        }
        return tasks;
    }

    /** The nodes that the topologies of group and gang leave, given where the gang runs. */
    private NodeSet bound(GrowthAsk ask, NodeSet allowed) {
        NodeSet ofGang = bound(allowed, ask.gangTopology(), ask.gangNodes());
        NodeSet ofGroup = NodeSet.of(
                ask.joined().values().stream().mapToInt(Integer::intValue).toArray());
        return bound(ofGang, ask.topology(), ofGroup.size() == 0 ? ask.gangNodes() : ofGroup);
    }

    private NodeSet bound(NodeSet room, Topology topology, NodeSet present) {
        return Stream.of(topology.getWithin(), topology.getRequired() ? topology.getPack() : "")
                .filter(fabric::has)
                .reduce(room, (left, level) -> intersection(left, around(level, present)), GrowthSearch::intersection);
    }

    /** All nodes of the domains of a level that these nodes lie in. */
    private NodeSet around(String level, NodeSet present) {
        List<FabricDomain> domains = fabric.domains(level);
        return NodeSet.of(present.stream()
                .map(node -> fabric.domainOf(level, node))
                .filter(at -> at >= 0)
                .distinct()
                .flatMap(at -> domains.get(at).nodes().stream())
                .toArray());
    }

    private static NodeSet intersection(NodeSet one, NodeSet other) {
        return NodeSet.of(one.stream().filter(other::contains).toArray());
    }

    /** In the domains of the gang from the innermost level outwards, then anywhere in the room. */
    private List<Place> near(GrowthAsk ask, int tasks, NodeSet room) {
        List<Place> places = new ArrayList<>();
        for (int depth = fabric.levels().size() - 1; depth >= 0 && places.size() < tasks; depth--) {
            NodeSet nearer = intersection(room, around(fabric.levels().get(depth), ask.gangNodes()));
            places.addAll(placer.placeUpTo(ask.shape(), tasks - places.size(), nearer));
        }
        places.addAll(placer.placeUpTo(ask.shape(), tasks - places.size(), room));
        return places;
    }

    /** Where fewest of the group are first, never more than may be in a domain. */
    private List<Place> spread(GrowthAsk ask, NodeSet room) {
        String level = ask.topology().getSpread();
        int most = Math.max(1, ask.topology().getMaxPerDomain());
        int[] there = new int[fabric.domains(level).size()];
        ask.joined().values().stream()
                .mapToInt(node -> fabric.domainOf(level, node))
                .filter(at -> at >= 0)
                .forEach(at -> there[at]++);
        List<Place> places = new ArrayList<>();
        for (int round = 0; round < most; round++) {
            int rounds = round;
            IntStream.range(0, there.length).filter(at -> there[at] == rounds).forEach(at -> {
                NodeSet nodes = intersection(room, fabric.domains(level).get(at).nodes());
                List<Place> one =
                        placer.placeUpTo(ask.shape(), Math.min(1, ask.open().size() - places.size()), nodes);
                there[at] += one.size();
                places.addAll(one);
            });
        }
        return places;
    }

    private static Map<Integer, List<Integer>> slices(GrowthAsk ask) {
        TreeMap<Integer, List<Integer>> slices = new TreeMap<>();
        for (int index : ask.open()) {
            slices.computeIfAbsent(index / ask.topology().getSliceTasks(), unused -> new ArrayList<>())
                    .add(index);
        }
        return slices;
    }

    private List<TaskPlace> slice(GrowthAsk ask, int slice, List<Integer> open, NodeSet room) {
        int size = ask.topology().getSliceTasks();
        NodeSet present = NodeSet.of(ask.joined().subMap(slice * size, (slice + 1) * size).values().stream()
                .mapToInt(Integer::intValue)
                .toArray());
        RoomCount count = new RoomCount(pool, ask.shape(), room);
        String level = ask.topology().getSliceLevel();
        boolean whole = present.size() > 0 || open.size() == size;
        Optional<NodeSet> domain = fabric.domains(level).stream()
                .map(candidate -> intersection(candidate.nodes(), room))
                .filter(nodes -> present.stream().allMatch(nodes::contains))
                .filter(nodes -> count.in(nodes) >= open.size())
                .min(Comparator.comparingLong(count::in));
        if (!whole || domain.isEmpty()) {
            return List.of();
        }
        List<Place> places = placer.placeUpTo(ask.shape(), open.size(), domain.get());
        if (places.size() < open.size()) {
            placer.undo(places);
            return List.of();
        }
        return IntStream.range(0, open.size())
                .mapToObj(i -> new TaskPlace(ask.name(), open.get(i), places.get(i)))
                .toList();
    }
}
