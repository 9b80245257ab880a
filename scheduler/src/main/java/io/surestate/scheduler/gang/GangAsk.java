package io.surestate.scheduler.gang;

import io.surestate.api.v1.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A gang: all of it gets its places or none does, but for what is above the fewest tasks of each group. Immutable.
 *
 * @param topology of all groups together; slices and spread do not apply
 */
public record GangAsk(List<GroupAsk> groups, Topology topology, Arrangement arrangement) {
    public GangAsk {
        groups = List.copyOf(groups);
    }

    boolean hasSpares() {
        return groups.stream().anyMatch(group -> group.spares() > 0);
    }

    boolean elastic() {
        return groups.stream().anyMatch(group -> group.fewest() < group.count());
    }

    GangAsk withoutSpares() {
        return each(group -> group.withCount(group.count()));
    }

    GangAsk smallest() {
        return each(group -> group.withCount(group.fewest()));
    }

    GangAsk with(int group, int tasks) {
        List<GroupAsk> changed = new ArrayList<>(groups);
        changed.set(group, changed.get(group).withCount(tasks));
        return new GangAsk(changed, topology, arrangement);
    }

    private GangAsk each(UnaryOperator<GroupAsk> change) {
        return new GangAsk(groups.stream().map(change).toList(), topology, arrangement);
    }
}
