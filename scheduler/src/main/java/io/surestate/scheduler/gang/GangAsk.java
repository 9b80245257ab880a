package io.surestate.scheduler.gang;

import io.surestate.api.v1.Topology;
import java.util.List;

/**
 * A gang: all of it gets its places or none does. Immutable.
 *
 * @param topology of all groups together; slices and spread do not apply
 * @param compact tasks that talk to each other: near is better, also where no topology says so
 */
public record GangAsk(List<GroupAsk> groups, Topology topology, boolean compact) {
    public GangAsk {
        groups = List.copyOf(groups);
    }
}
