package io.surestate.statemachine.ledger;

import io.surestate.api.v1.ConflictKind;
import io.surestate.statemachine.state.NodeEntry;

/** Whether a node takes something new. */
final class NodeUse {
    private NodeUse() {}

    /** Adds a conflict where it does not. */
    static boolean check(Conflicts conflicts, NodeEntry node) {
        if (node.ready() && node.cordoned()) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_CORDONED,
                    node.node().getName(),
                    "cordon",
                    Cordons.words(node.node().getStatus().getCordon()),
                    "none; ssctl node " + (node.draining() ? "undrain" : "uncordon") + " takes it back");
        } else if (!node.schedulable()) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_NODE,
                    node.node().getName(),
                    "node state",
                    node.node().getStatus().getState().name().replace("NODE_STATE_", ""),
                    "READY");
        }
        return node.schedulable();
    }
}
