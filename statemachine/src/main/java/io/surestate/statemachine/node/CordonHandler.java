package io.surestate.statemachine.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.Cordon;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.log.v1.CordonNode;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.UncordonNode;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.NodeEntry;
import java.util.Optional;

/**
 * The operator takes a node out of use, and gives it back. A drain is a cordon, and more; a node that drains is not merely cordoned again, it is undrained.
 * What is so already changes nothing.
 */
public final class CordonHandler {
    public Outcome cordon(Draft draft, Caller caller, CordonNode command) {
        long after = command.getDeadlineAfterMillis();
        if (after != 0 && (!command.getDrain() || after < 0 || after > Limits.DRAIN_DEADLINE_MILLIS_MAX)) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                    "deadline",
                    Long.toString(after),
                    "with a drain, at most " + Limits.DRAIN_DEADLINE_MILLIS_MAX + " milliseconds");
        }
        return refusal(draft, command.getNode(), command.getExpectedEpoch())
                .orElseGet(() -> cordon(draft, caller, command, NodeCheck.node(draft, command.getNode())));
    }

    private static Outcome cordon(Draft draft, Caller caller, CordonNode command, Node node) {
        Cordon before = node.getStatus().getCordon();
        if (before.getDrain() && !command.getDrain()) {
            return Outcomes.node(node);
        }
        long after = command.getDeadlineAfterMillis();
        Cordon.Builder cordon = Cordon.newBuilder()
                .setPrincipal(caller.principal())
                .setReason(command.getReason())
                .setSinceMillis(
                        Math.max(1, node.getStatus().hasCordon() ? before.getSinceMillis() : draft.timeMillis()))
                .setDrain(command.getDrain())
                .setDeadlineMillis(after == 0 ? 0 : draft.timeMillis() + after);
        return put(draft, node, Optional.of(cordon.build()));
    }

    public Outcome uncordon(Draft draft, UncordonNode command) {
        return refusal(draft, command.getNode(), command.getExpectedEpoch())
                .orElseGet(() -> uncordon(draft, command, NodeCheck.node(draft, command.getNode())));
    }

    private static Outcome uncordon(Draft draft, UncordonNode command, Node node) {
        boolean drains = node.getStatus().getCordon().getDrain();
        if (node.getStatus().hasCordon() && drains != command.getDrain()) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                    "node " + node.getName(),
                    drains ? "is being drained" : "is cordoned, not drained",
                    drains ? "undrain, which ends the drain and the cordon" : "uncordon");
        }
        return put(draft, node, Optional.empty());
    }

    private static Outcome put(Draft draft, Node node, Optional<Cordon> cordon) {
        Node.Builder changed = node.toBuilder();
        changed.getStatusBuilder().clearCordon();
        cordon.ifPresent(changed.getStatusBuilder()::setCordon);
        return Outcomes.node(changed.getStatus().equals(node.getStatus()) ? node : draft.put(changed));
    }

    private static Optional<Outcome> refusal(Draft draft, String name, long expectedEpoch) {
        Optional<NodeEntry> entry = draft.state().node(name);
        if (entry.isEmpty()) {
            return Optional.of(
                    Outcomes.rejected(ErrorCode.ERROR_CODE_NOT_FOUND, "node", name, "a node that registered"));
        }
        Node node = entry.get().node();
        if (node.getStatus().getState() == NodeState.NODE_STATE_PLANNED) {
            return Optional.of(Outcomes.rejected(
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                    "state of node " + name,
                    "PLANNED",
                    "a node that registered; nothing is placed on a planned one"));
        }
        return expectedEpoch == 0 || expectedEpoch == node.getStatus().getEpoch()
                ? Optional.empty()
                : Optional.of(Outcomes.rejected(
                        ErrorCode.ERROR_CODE_STALE_EPOCH,
                        "epoch of node " + name,
                        Long.toString(expectedEpoch),
                        node.getStatus().getEpoch() + "; look at the node again"));
    }
}
