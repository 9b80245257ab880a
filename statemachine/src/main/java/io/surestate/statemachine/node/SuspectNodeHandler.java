package io.surestate.statemachine.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.SuspectNode;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;

/** A node fell silent: nothing new is placed on it, and its lease is not renewed until it is cleared. */
public final class SuspectNodeHandler {
    public Outcome decide(Draft draft, SuspectNode command) {
        return NodeCheck.refusal(draft, command.getNode(), command.getEpoch())
                .orElseGet(() -> suspect(draft, NodeCheck.node(draft, command.getNode()), command.getReason()));
    }

    private static Outcome suspect(Draft draft, Node node, String reason) {
        return switch (node.getStatus().getState()) {
            case NODE_STATE_SUSPECTED -> Outcomes.accepted();
            case NODE_STATE_READY -> {
                Node.Builder suspected = node.toBuilder();
                suspected
                        .getStatusBuilder()
                        .setState(NodeState.NODE_STATE_SUSPECTED)
                        .setSuspectedMillis(draft.timeMillis())
                        .setReason(reason.substring(0, Math.min(reason.length(), Limits.REASON_CHARS_MAX)));
                draft.put(suspected);
                yield Outcomes.accepted();
            }
            default ->
                Outcomes.rejected(
                        ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                        "state of node " + node.getName(),
                        node.getStatus().getState().name(),
                        "READY");
        };
    }
}
