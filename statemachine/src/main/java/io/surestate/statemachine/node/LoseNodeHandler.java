package io.surestate.statemachine.node;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.log.v1.LoseNode;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.job.TaskReports;
import java.util.List;

/**
 * A suspected node is given up: its lease and the margin are over, so its keeper has killed every task that stops at lease end.
 * Tasks that are kept may still run: they stay counted.
 */
public final class LoseNodeHandler {
    private final TaskReports reports = new TaskReports();

    public Outcome decide(Draft draft, LoseNode command) {
        return NodeCheck.refusal(draft, command.getNode(), command.getEpoch())
                .orElseGet(() -> lose(draft, NodeCheck.node(draft, command.getNode())));
    }

    private Outcome lose(Draft draft, Node node) {
        if (node.getStatus().getState() == NodeState.NODE_STATE_LOST) {
            return Outcomes.accepted();
        }
        if (node.getStatus().getState() != NodeState.NODE_STATE_SUSPECTED) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                    "state of node " + node.getName(),
                    node.getStatus().getState().name(),
                    "SUSPECTED");
        }
        long due = Leases.lossDueMillis(draft.state().meta(), node.getStatus());
        return draft.timeMillis() < due
                ? Outcomes.rejected(
                        ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                        "cluster time",
                        Long.toString(draft.timeMillis()),
                        due + " or later, the end of lease and margin of node " + node.getName())
                : giveUp(draft, node);
    }

    private Outcome giveUp(Draft draft, Node node) {
        Node.Builder lost = node.toBuilder();
        lost.getStatusBuilder().setState(NodeState.NODE_STATE_LOST);
        draft.put(lost);
        List<Allocation> dead = draft.state().node(node.getName()).orElseThrow().allocations().stream()
                .filter(TaskReports::mayRun)
                .filter(allocation -> allocation.getOnLeaseEnd() == LeaseEnd.LEASE_END_STOP)
                .toList();
        reports.lose(draft, dead, "node " + node.getName() + " lost");
        return Outcomes.accepted();
    }
}
