package io.surestate.statemachine.node;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.log.v1.ClearNode;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;

/** A suspected node was heard again in time. */
public final class ClearNodeHandler {
    public Outcome decide(Draft draft, ClearNode command) {
        return NodeCheck.refusal(draft, command.getNode(), command.getEpoch())
                .orElseGet(() -> clear(draft, NodeCheck.node(draft, command.getNode())));
    }

    private static Outcome clear(Draft draft, Node node) {
        return switch (node.getStatus().getState()) {
            case NODE_STATE_READY -> Outcomes.accepted();
            case NODE_STATE_SUSPECTED -> {
                Node.Builder cleared = node.toBuilder();
                cleared.getStatusBuilder()
                        .setState(NodeState.NODE_STATE_READY)
                        .setSuspectedMillis(0)
                        .setReason("");
                draft.put(cleared);
                yield Outcomes.accepted();
            }
            default ->
                Outcomes.rejected(
                        ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                        "state of node " + node.getName(),
                        node.getStatus().getState().name(),
                        "SUSPECTED; a lost node registers again");
        };
    }
}
