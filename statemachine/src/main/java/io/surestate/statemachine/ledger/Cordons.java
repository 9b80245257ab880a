package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Cordon;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NodeEntry;
import java.util.List;
import java.util.stream.Collectors;

/** What operators keep from new work, in words. */
public final class Cordons {
    private static final int REASONS_SHOWN = 3;

    private Cordons() {}

    /** {@code draining (kernel upgrade)}. */
    public static String words(Cordon cordon) {
        return (cordon.getDrain() ? "draining" : "cordoned")
                + (cordon.getReason().isEmpty() ? "" : " (" + cordon.getReason() + ")");
    }

    /** {@code 2 nodes cordoned (kernel upgrade)}; empty = none is. */
    public static String words(ClusterState state) {
        List<NodeEntry> cordoned = state.cordonedNodes();
        if (cordoned.isEmpty()) {
            return "";
        }
        String reasons = cordoned.stream()
                .map(entry -> entry.node().getStatus().getCordon().getReason())
                .filter(reason -> !reason.isEmpty())
                .distinct()
                .limit(REASONS_SHOWN)
                .collect(Collectors.joining("; "));
        return cordoned.size() + (cordoned.size() == 1 ? " node" : " nodes") + " cordoned"
                + (reasons.isEmpty() ? "" : " (" + reasons + ")");
    }
}
