package io.surestate.scheduler.gang;

import io.surestate.api.v1.Topology;
import io.surestate.scheduler.fabric.Fabric;
import io.surestate.scheduler.fabric.FabricDomain;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.NodeSet;
import io.surestate.scheduler.pool.Pool;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** Why a gang waits: the first group that has no room, which constraint holds it back, and the smallest change that would help. */
final class Explanation {
    private final Pool pool;
    private final Fabric fabric;
    private final ToIntFunction<GroupAsk> placeable;
    private final NodeSet all;
    private final Nearest nearest;

    /**
     * @param room the nodes that the gang may have
     * @param placeable how many tasks of a group find a place there one after another, wherever they lie
     */
    Explanation(Pool pool, Fabric fabric, NodeSet room, ToIntFunction<GroupAsk> placeable) {
        this.pool = pool;
        this.fabric = fabric;
        this.placeable = placeable;
        this.all = room;
        this.nearest = new Nearest(pool);
    }

    String of(GangAsk gang) {
        if (!nearest.anythingIn(all)) {
            boolean keptFromIt = all.size() < pool.size();
            return keptFromIt
                    ? "no node is left for it"
                    : "no node is ready (expected: at least one registered node that is not suspected or lost)";
        }
        return gang.groups().stream()
                .flatMap(group -> of(group, gang.topology()).stream().map(why -> "group " + group.name() + ": " + why))
                .findFirst()
                .orElse("each group has room, all " + gang.groups().size() + " together have not");
    }

    private Optional<String> of(GroupAsk group, Topology ofGang) {
        return unserved(group)
                .or(() -> unknownLevel(group.topology()))
                .or(() -> unknownLevel(ofGang))
                .or(() -> room(group, ofGang));
    }

    /** No device of any node is what one line asks for. */
    private Optional<String> unserved(GroupAsk group) {
        return group.shape().devices().stream()
                .filter(ask -> !nearest.serves(ask))
                .findFirst()
                .map(ask -> "no node has " + words(ask) + "; there are " + nearest.devicesOf(ask.kind()));
    }

    private static String words(DeviceAsk ask) {
        List<String> words = Stream.of(
                        ask.vendor(),
                        ask.models().isEmpty() ? "" : "model " + String.join(" or ", ask.models()),
                        ask.partition().isEmpty() ? "" : "as partition " + ask.partition(),
                        ask.memoryBytes() == 0 ? "" : "with " + Shortage.mebibytes(ask.memoryBytes()) + " memory")
                .filter(word -> !word.isEmpty())
                .toList();
        return "a " + Nearest.kind(ask.kind()) + (words.isEmpty() ? "" : " ") + String.join(" ", words);
    }

    private Optional<String> unknownLevel(Topology topology) {
        return Stream.of(
                        topology.getWithin(),
                        topology.getRequired() ? topology.getPack() : "",
                        topology.getSpread(),
                        topology.getSliceLevel())
                .filter(level -> !level.isEmpty() && !fabric.has(level))
                .findFirst()
                .map(level -> "no node names the level \"" + level + "\"; there are "
                        + (fabric.levels().isEmpty() ? "none" : String.join(", ", fabric.levels())));
    }

    /** There is not enough: anywhere, in the one domain in which all must lie, or as the group is to be spread or cut. */
    private Optional<String> room(GroupAsk group, Topology ofGang) {
        RoomCount count = new RoomCount(pool, group.shape(), all);
        Optional<FabricDomain> roomiest = roomiest(group, ofGang, count);
        NodeSet scope = roomiest.map(FabricDomain::nodes).orElse(all);
        long fits = count.in(scope);
        if (fits < group.count()) {
            return Optional.of(fits + " of " + group.count() + " tasks fit" + where(roomiest) + "; "
                    + nearest.next(group.shape(), scope));
        }
        return spread(group, count)
                .or(() -> sliced(group, count, scope).map(why -> why + where(roomiest)))
                .or(() -> pieces(group));
    }

    /** Of the domains of which one must hold all, the one with the most room; empty = there is no such level. */
    private Optional<FabricDomain> roomiest(GroupAsk group, Topology ofGang, RoomCount count) {
        return binding(group.topology(), ofGang)
                .flatMap(level -> fabric.domains(level).stream()
                        .max(Comparator.comparingLong(domain -> count.in(domain.nodes()))));
    }

    private static String where(Optional<FabricDomain> roomiest) {
        return roomiest.map(domain -> " in one " + domain.level() + ", the roomiest being " + domain.path())
                .orElse("");
    }

    /** The innermost level of which one domain must hold all. */
    private Optional<String> binding(Topology one, Topology other) {
        return Stream.of(one, other)
                .flatMap(topology -> Stream.of(topology.getWithin(), topology.getRequired() ? topology.getPack() : ""))
                .filter(fabric::has)
                .max(Comparator.comparingInt(level -> fabric.levels().indexOf(level)));
    }

    private Optional<String> spread(GroupAsk group, RoomCount count) {
        String level = group.topology().getSpread();
        if (level.isEmpty()) {
            return Optional.empty();
        }
        int most = Math.max(1, group.topology().getMaxPerDomain());
        List<FabricDomain> domains = fabric.domains(level);
        long fits = domains.stream()
                .mapToLong(domain -> Math.min(most, count.in(domain.nodes())))
                .sum();
        if (fits >= group.count()) {
            return Optional.empty();
        }
        int[] open = domains.stream()
                .filter(domain -> count.in(domain.nodes()) < most)
                .flatMapToInt(domain -> domain.nodes().stream())
                .toArray();
        return Optional.of(
                fits + " of " + group.count() + " tasks fit with at most " + most + " in each " + level + "; "
                        + (open.length == 0
                                ? "there are " + domains.size() + " of that level"
                                : nearest.next(group.shape(), NodeSet.of(open))));
    }

    private Optional<String> sliced(GroupAsk group, RoomCount count, NodeSet scope) {
        int size = group.topology().getSliceTasks();
        if (size == 0) {
            return Optional.empty();
        }
        long slices = fabric.domains(group.topology().getSliceLevel(), scope).stream()
                .mapToLong(domain -> count.in(domain.nodes()) / size)
                .sum();
        return Optional.of(slices + " of " + group.count() / size + " slices of " + size + " tasks fit, each in one "
                + group.topology().getSliceLevel());
    }

    /** There is enough, but in pieces that no task can use. */
    private Optional<String> pieces(GroupAsk group) {
        int fits = placeable.applyAsInt(group);
        return fits >= group.count()
                ? Optional.empty()
                : Optional.of(fits + " of " + group.count()
                        + " tasks fit; what is left is enough in all, but not on one node together");
    }
}
