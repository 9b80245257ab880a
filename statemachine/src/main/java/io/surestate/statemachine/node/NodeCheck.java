package io.surestate.statemachine.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Node;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.NodeEntry;
import java.util.Optional;

/** Preconditions of every command that is about a node in one of its epochs. */
final class NodeCheck {
    private NodeCheck() {}

    /** Empty where the node exists and has this epoch. */
    static Optional<Outcome> refusal(Draft draft, String name, long epoch) {
        Optional<Node> node =
                draft.state().node(name).filter(NodeEntry::registered).map(NodeEntry::node);
        if (node.isEmpty()) {
            return Optional.of(
                    Outcomes.rejected(ErrorCode.ERROR_CODE_NOT_FOUND, "node", name, "a node that registered"));
        }
        long present = node.get().getStatus().getEpoch();
        return epoch == present
                ? Optional.empty()
                : Optional.of(Outcomes.rejected(
                        ErrorCode.ERROR_CODE_STALE_EPOCH,
                        "epoch of node " + name,
                        Long.toString(epoch),
                        Long.toString(present)));
    }

    /** Empty where there is room for a node of this name. */
    static Optional<Outcome> tooMany(Draft draft, String name) {
        int nodes = draft.state().counts().nodes();
        return draft.state().node(name).isPresent() || nodes < Limits.NODES_MAX
                ? Optional.empty()
                : Optional.of(Outcomes.rejected(
                        ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED,
                        "nodes",
                        Integer.toString(nodes + 1),
                        "at most " + Limits.NODES_MAX));
    }

    static Node node(Draft draft, String name) {
        return draft.state().node(name).orElseThrow().node();
    }
}
