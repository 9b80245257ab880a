package io.surestate.sim.cluster;

import io.surestate.api.v1.Node;
import io.surestate.scheduler.NodeRows;
import io.surestate.scheduler.PlacementView;
import io.surestate.scheduler.PlacementView.NodeOffer;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows a scheduler what is free in a state, as servers do; keeps the offers of nodes that do not change. Used by one thread. */
public final class CoreOffers {
    /** Of the last view. */
    private final List<NodeOffer> shown = new ArrayList<>();

    private final Map<String, Integer> positions = new LinkedHashMap<>();

    /** All nodes that take work. */
    public PlacementView of(ClusterState state) {
        List<NodeOffer> offers = new ArrayList<>(state.nodes().size());
        for (NodeEntry entry : state.nodes()) {
            if (entry.schedulable()) {
                offers.add(offer(entry));
            }
        }
        shown.clear();
        positions.clear();
        for (NodeOffer offer : offers) {
            positions.put(offer.name(), shown.size());
            shown.add(offer);
        }
        return new PlacementView(state.revision(), offers);
    }

    /**
     * The same, quicker, where no nodes came or went since the last view.
     *
     * @param changed all nodes that changed since then
     */
    public PlacementView of(ClusterState state, Collection<String> changed) {
        if (shown.isEmpty()) {
            return of(state);
        }
        for (String name : changed) {
            shown.set(positions.getOrDefault(name, -1), offer(state.node(name).orElseThrow()));
        }
        return new PlacementView(state.revision(), shown);
    }

    /** Entries are never changed: another one has another identity. */
    private NodeOffer offer(NodeEntry entry) {
        Node node = entry.node();
        int before = positions.getOrDefault(node.getName(), -1);
        if (before >= 0 && shown.get(before).version() == entry) {
            return shown.get(before);
        }
        return new NodeOffer(node.getName(), entry, node.getSpec().getDomainsList(), () -> row(node, entry.free()));
    }

    private static NodeRow row(Node node, Amounts free) {
        return NodeRows.of(node.getName(), node.getSpec(), free)
                .epoch(node.getStatus().getEpoch())
                .build();
    }
}
