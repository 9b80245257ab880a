package io.surestate.scheduler;

import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Telemetry;
import io.surestate.scheduler.pool.NodeRow;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * What is free in the cluster at one revision. Only nodes that may take work.
 *
 * @param nodes each name once
 * @param kept names of nodes that only gangs that {@link PendingGang#mayTakeKept} may have
 */
public record PlacementView(long revision, List<NodeOffer> nodes, Set<String> kept) {
    public PlacementView {
        nodes = List.copyOf(nodes);
        kept = Collections.unmodifiableSet(new TreeSet<>(kept));
    }

    /** One in which nothing is kept. */
    public PlacementView(long revision, List<NodeOffer> nodes) {
        this(revision, nodes, Set.of());
    }

    /**
     * A node with what is free on it.
     *
     * @param version equal to that of an earlier view only if nothing of the node changed since then: its row is not asked for again
     * @param domains the node's place in the fabric, outermost first
     * @param row makes a new row each time; called during {@link Scheduler#place} alone
     * @param telemetry kept with what is placed there; the default instance = unknown
     */
    public record NodeOffer(
            String name, Object version, List<Domain> domains, Supplier<NodeRow> row, Telemetry telemetry) {
        public NodeOffer {
            domains = List.copyOf(domains);
        }

        /** A node of which nobody tells how it is doing. */
        public NodeOffer(String name, Object version, List<Domain> domains, Supplier<NodeRow> row) {
            this(name, version, domains, row, Telemetry.getDefaultInstance());
        }
    }
}
