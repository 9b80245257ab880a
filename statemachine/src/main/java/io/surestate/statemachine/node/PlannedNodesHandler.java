package io.surestate.statemachine.node;

import io.surestate.api.Names;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodeStatus;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.PlanNode;
import io.surestate.log.v1.RemoveNode;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.NodeEntry;
import java.util.Optional;

/**
 * Nodes without an agent: described for planning, never given work, taken over by the first agent of that name, and forgotten on request.
 * Describing one again as it is changes nothing.
 */
public final class PlannedNodesHandler {
    public Outcome plan(Draft draft, PlanNode command) {
        return refusal(draft, command).orElseGet(() -> put(draft, command));
    }

    private static Optional<Outcome> refusal(Draft draft, PlanNode command) {
        return Names.subdomainProblem("node", command.getNode())
                .or(() -> NodeSpecs.problem(command.getSpec()))
                .map(message -> Outcomes.rejected(ErrorCode.ERROR_CODE_INVALID_ARGUMENT, message))
                .or(() -> taken(draft, command.getNode()))
                .or(() -> NodeCheck.tooMany(draft, command.getNode()));
    }

    private static Optional<Outcome> taken(Draft draft, String name) {
        return draft.state()
                .node(name)
                .filter(NodeEntry::registered)
                .map(entry -> Outcomes.rejected(
                        ErrorCode.ERROR_CODE_ALREADY_EXISTS, "node", name, "a name that no agent has registered"));
    }

    private static Outcome put(Draft draft, PlanNode command) {
        Optional<Node> before = draft.state().node(command.getNode()).map(NodeEntry::node);
        if (before.isPresent() && before.get().getSpec().equals(command.getSpec())) {
            return Outcomes.node(before.get());
        }
        return Outcomes.node(draft.put(Node.newBuilder()
                .setName(command.getNode())
                .setSpec(command.getSpec())
                .setStatus(NodeStatus.newBuilder()
                        .setState(NodeState.NODE_STATE_PLANNED)
                        .setRegisteredMillis(draft.timeMillis()))));
    }

    public Outcome remove(Draft draft, RemoveNode command) {
        Optional<NodeEntry> entry = draft.state().node(command.getNode());
        if (entry.isEmpty()) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_NOT_FOUND, "node", command.getNode(), "the name of a planned node");
        }
        Node node = entry.get().node();
        if (entry.get().registered()) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                    "state of node " + node.getName(),
                    node.getStatus().getState().name().replace("NODE_STATE_", ""),
                    "PLANNED; a node with an agent is not removed");
        }
        draft.add(new Change.NodeRemoved(node.getName()));
        return Outcomes.node(node);
    }
}
