package io.surestate.scheduler.gang;

import io.surestate.api.v1.Topology;
import io.surestate.scheduler.fabric.Fabric;
import io.surestate.scheduler.pool.NodeSet;
import io.surestate.scheduler.pool.Place;
import io.surestate.scheduler.pool.Placer;
import io.surestate.scheduler.pool.Pool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Places for whole gangs. Ranks follow the fabric: neighbours in rank are neighbours in the tree as far as the places allow. One thread, the
 * pool's; void once the pool's indices move.
 */
public final class GangSearch {
    private final Pool pool;
    private final Placer placer;
    private final Fabric fabric;
    private final NodeSet all;

    public GangSearch(Pool pool, Placer placer, Fabric fabric) {
        this.pool = pool;
        this.placer = placer;
        this.fabric = fabric;
        this.all = NodeSet.range(0, pool.size());
    }

    /** Takes room for all of the gang, or for nothing of it. */
    public GangResult place(GangAsk gang) {
        for (NodeSet room : rooms(gang)) {
            Optional<List<TaskPlace>> tasks = groups(gang, room);
            if (tasks.isPresent()) {
                return new GangResult.Placed(tasks.get());
            }
        }
        return new GangResult.Waits(new Explanation(pool, fabric, this::placeable).of(gang));
    }

    private List<NodeSet> rooms(GangAsk gang) {
        if (gang.topology().equals(Topology.getDefaultInstance())) {
            return List.of(all);
        }
        GroupAsk first = gang.groups().get(0);
        return new Rooms(fabric, new RoomCount(pool, first.shape(), all)).of(gang.topology(), all, first.count());
    }

    private Optional<List<TaskPlace>> groups(GangAsk gang, NodeSet room) {
        List<Place> taken = new ArrayList<>();
        List<TaskPlace> tasks = new ArrayList<>();
        for (GroupAsk group : gang.groups()) {
            Optional<List<Place>> places = group(gang, group, room);
            if (places.isEmpty()) {
                placer.undo(taken);
                return Optional.empty();
            }
            taken.addAll(places.get());
            tasks.addAll(ranked(group, places.get()));
        }
        return Optional.of(tasks);
    }

    private Optional<List<Place>> group(GangAsk gang, GroupAsk group, NodeSet room) {
        boolean nothingSaid = group.topology().equals(Topology.getDefaultInstance());
        if (nothingSaid && (group.count() == 1 || !gang.compact()) && room.size() == pool.size()) {
            return anywhere(group);
        }
        return new GroupSearch(pool, placer, fabric, group, room, gang.compact()).in(room);
    }

    /** The short way: the policy's order is all that counts. */
    private Optional<List<Place>> anywhere(GroupAsk group) {
        List<Place> places = placer.placeUpTo(group.shape(), group.count());
        if (places.size() < group.count()) {
            placer.undo(places);
            return Optional.empty();
        }
        return Optional.of(places);
    }

    private int placeable(GroupAsk group) {
        List<Place> places = placer.placeUpTo(group.shape(), group.count());
        placer.undo(places);
        return places.size();
    }

    private List<TaskPlace> ranked(GroupAsk group, List<Place> places) {
        List<Place> ordered = new ArrayList<>(places);
        ordered.sort(Comparator.comparingInt(place -> fabric.rank(place.node())));
        List<TaskPlace> tasks = new ArrayList<>(ordered.size());
        for (int index = 0; index < ordered.size(); index++) {
            tasks.add(new TaskPlace(group.name(), index, ordered.get(index)));
        }
        return tasks;
    }
}
