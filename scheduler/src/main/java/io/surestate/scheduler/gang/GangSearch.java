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

    /** As the other, on all nodes. */
    public GangResult place(GangAsk gang) {
        return place(gang, all);
    }

    /**
     * Takes room for all of the gang, or for as much of it as there is and it can start with, or for nothing.
     *
     * @param room the nodes that it may have
     */
    public GangResult place(GangAsk gang, NodeSet room) {
        return whole(gang, room)
                .or(() -> gang.hasSpares() ? whole(gang.withoutSpares(), room) : Optional.empty())
                .or(() -> gang.elastic() ? part(gang, room) : Optional.empty())
                .<GangResult>map(GangResult.Placed::new)
                .orElseGet(() -> new GangResult.Waits(
                        new Explanation(pool, fabric, room, group -> placeable(group, room)).of(gang.smallest())));
    }

    /** One group after another as large as there is room for, the others as they are by then. */
    private Optional<List<TaskPlace>> part(GangAsk gang, NodeSet room) {
        GangAsk sized = gang.smallest();
        if (!fits(sized, room)) {
            return Optional.empty();
        }
        for (int group = 0; group < gang.groups().size(); group++) {
            GroupAsk asked = gang.groups().get(group);
            int fits = asked.fewest() / asked.step();
            int tooMany = asked.count() / asked.step() + 1;
            while (tooMany - fits > 1) {
                int middle = (fits + tooMany) >>> 1;
                if (fits(sized.with(group, middle * asked.step()), room)) {
                    fits = middle;
                } else {
                    tooMany = middle;
                }
            }
            sized = sized.with(group, fits * asked.step());
        }
        return whole(sized, room);
    }

    private boolean fits(GangAsk gang, NodeSet room) {
        Optional<List<TaskPlace>> tasks = whole(gang, room);
        tasks.ifPresent(
                taken -> placer.undo(taken.stream().map(TaskPlace::place).toList()));
        return tasks.isPresent();
    }

    private Optional<List<TaskPlace>> whole(GangAsk gang, NodeSet room) {
        return rooms(gang, room).stream()
                .flatMap(part -> groups(gang, part).stream())
                .findFirst();
    }

    private List<NodeSet> rooms(GangAsk gang, NodeSet room) {
        if (gang.topology().equals(Topology.getDefaultInstance())) {
            return List.of(room);
        }
        GroupAsk first = gang.groups().get(0);
        return new Rooms(fabric, new RoomCount(pool, first.shape(), room)).of(gang.topology(), room, first.places());
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
        if (nothingSaid
                && (group.places() == 1 || gang.arrangement() == Arrangement.ANY)
                && room.size() == pool.size()) {
            return anywhere(group);
        }
        return new GroupSearch(pool, placer, fabric, group, room, gang.arrangement()).in(room);
    }

    /** The short way: the policy's order is all that counts. */
    private Optional<List<Place>> anywhere(GroupAsk group) {
        List<Place> places = placer.placeUpTo(group.shape(), group.places());
        if (places.size() < group.places()) {
            placer.undo(places);
            return Optional.empty();
        }
        return Optional.of(places);
    }

    private int placeable(GroupAsk group, NodeSet room) {
        List<Place> places = placer.placeUpTo(group.shape(), group.count(), room);
        placer.undo(places);
        return places.size();
    }

    private List<TaskPlace> ranked(GroupAsk group, List<Place> places) {
        List<Place> ordered = new ArrayList<>(places);
        ordered.sort(Comparator.comparingInt(place -> fabric.rank(place.node())));
        // Of each slice the last places in rank are its spares; all slices of one domain stand together.
        int size = group.slice();
        int together = size + group.spares();
        List<TaskPlace> tasks = new ArrayList<>(ordered.size());
        for (int at = 0; at < ordered.size(); at++) {
            int slice = at / together;
            int within = at % together;
            int index = within < size ? slice * size + within : group.count() + slice * group.spares() + within - size;
            tasks.add(new TaskPlace(group.name(), index, ordered.get(at)));
        }
        return tasks;
    }
}
