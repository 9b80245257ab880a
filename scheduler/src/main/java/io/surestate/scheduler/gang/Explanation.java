package io.surestate.scheduler.gang;

import io.surestate.api.v1.Topology;
import io.surestate.scheduler.fabric.Fabric;
import io.surestate.scheduler.fabric.FabricDomain;
import io.surestate.scheduler.pool.NodeSet;
import io.surestate.scheduler.pool.Pool;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Why a gang waits: the first group that has no room, which constraint holds it back, and the smallest change that would help. */
final class Explanation {
    private final Pool pool;
    private final Fabric fabric;
    private final ToIntFunction<GroupAsk> placeable;
    private final NodeSet all;

    /** @param placeable how many tasks of a group find a place one after another, wherever they lie */
    Explanation(Pool pool, Fabric fabric, ToIntFunction<GroupAsk> placeable) {
        this.pool = pool;
        this.fabric = fabric;
        this.placeable = placeable;
        this.all = NodeSet.range(0, pool.size());
    }

    String of(GangAsk gang) {
        if (here().findAny().isEmpty()) {
            return "no node is ready (expected: at least one registered node that is not suspected or lost)";
        }
        return gang.groups().stream()
                .flatMap(group ->
                        room(group).or(() -> pieces(group)).or(() -> topology(group, gang.topology())).stream())
                .findFirst()
                .orElse("each group has room, all " + gang.groups().size() + " together have not");
    }

    /** Nodes that have anything; those out of use for a while have nothing. */
    private IntStream here() {
        return IntStream.range(0, pool.size()).filter(node -> pool.node(node).hasAnything());
    }

    /** There is not enough for the group anywhere. */
    private Optional<String> room(GroupAsk group) {
        long fits = new RoomCount(pool, group.shape(), all).in(all);
        if (fits >= group.count()) {
            return Optional.empty();
        }
        Shortage nearest = here().mapToObj(node -> Shortage.ofNext(pool.node(node), group.shape()))
                .min(Comparator.naturalOrder())
                .orElseThrow();
        return Optional.of("group " + group.name() + ": " + fits + " of " + group.count()
                + " tasks fit now; the next would start with " + nearest.describe() + " more on " + nearest.node());
    }

    /** There is enough, but in pieces that no task can use. */
    private Optional<String> pieces(GroupAsk group) {
        int fits = placeable.applyAsInt(group);
        return fits >= group.count()
                ? Optional.empty()
                : Optional.of("group " + group.name() + ": " + fits + " of " + group.count()
                        + " tasks fit now; what is left is enough in all, but not on one node together");
    }

    /** There is enough, but not where the topology wants it. */
    private Optional<String> topology(GroupAsk group, Topology ofGang) {
        return Stream.of(group.topology(), ofGang)
                .flatMap(topology -> Stream.of(
                                together(group, topology.getWithin()),
                                topology.getRequired() ? together(group, topology.getPack()) : Optional.<String>empty(),
                                sliced(group, topology),
                                spread(group, topology))
                        .flatMap(Optional::stream))
                .findFirst();
    }

    private Optional<String> together(GroupAsk group, String level) {
        if (level.isEmpty()) {
            return Optional.empty();
        }
        RoomCount count = new RoomCount(pool, group.shape(), all);
        return fabric.domains(level).stream()
                .max(Comparator.comparingLong(domain -> count.in(domain.nodes())))
                .map(largest -> say(group, level, largest, count.in(largest.nodes())))
                .or(() -> Optional.of(unknown(group, level)));
    }

    private static String say(GroupAsk group, String level, FabricDomain largest, long fits) {
        return "group " + group.name() + ": all " + group.count() + " tasks in one " + level + "; the roomiest, "
                + largest.path() + ", has room for " + Math.min(fits, group.count()) + " of them now";
    }

    private Optional<String> sliced(GroupAsk group, Topology topology) {
        int size = topology.getSliceTasks();
        if (size == 0) {
            return Optional.empty();
        }
        RoomCount count = new RoomCount(pool, group.shape(), all);
        List<FabricDomain> domains = fabric.domains(topology.getSliceLevel());
        long slices = domains.stream()
                .mapToLong(domain -> count.in(domain.nodes()) / size)
                .sum();
        return Optional.of("group " + group.name() + ": " + slices + " of " + group.count() / size + " slices of "
                + size + " tasks, each in one " + topology.getSliceLevel() + ", have room now");
    }

    private Optional<String> spread(GroupAsk group, Topology topology) {
        if (topology.getSpread().isEmpty()) {
            return Optional.empty();
        }
        RoomCount count = new RoomCount(pool, group.shape(), all);
        int most = Math.max(1, topology.getMaxPerDomain());
        long fits = fabric.domains(topology.getSpread()).stream()
                .mapToLong(domain -> Math.min(most, count.in(domain.nodes())))
                .sum();
        return Optional.of("group " + group.name() + ": " + Math.min(fits, group.count()) + " of " + group.count()
                + " tasks have room with at most " + most + " in each " + topology.getSpread());
    }

    private static String unknown(GroupAsk group, String level) {
        return "group " + group.name() + ": no node names the level \"" + level
                + "\" (expected: a level of the nodes' domains)";
    }
}
