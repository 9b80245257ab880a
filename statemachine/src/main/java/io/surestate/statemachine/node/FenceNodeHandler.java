package io.surestate.statemachine.node;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.log.v1.FenceNode;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.job.TaskReports;
import io.surestate.statemachine.state.NodeEntry;
import java.util.List;

/**
 * The operator declares a node powered off: nothing runs there any more, so its places are free. The node gets a new epoch, so that
 * nothing that was sent before counts; its agent has to register again. Fencing a fenced node changes nothing.
 */
public final class FenceNodeHandler {
    private final TaskReports reports = new TaskReports();

    public Outcome decide(Draft draft, FenceNode command) {
        return draft.state()
                .node(command.getNode())
                .map(entry -> fence(draft, entry, command))
                .orElseGet(() -> Outcomes.rejected(
                        ErrorCode.ERROR_CODE_NOT_FOUND, "node", command.getNode(), "a node that registered"));
    }

    private Outcome fence(Draft draft, NodeEntry entry, FenceNode command) {
        Node node = entry.node();
        String name = node.getName();
        if (node.getStatus().getState() == NodeState.NODE_STATE_PLANNED) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                    "state of node " + name,
                    "PLANNED",
                    "SUSPECTED or LOST; nothing ever ran on it, remove it instead");
        }
        if (node.getStatus().getState() == NodeState.NODE_STATE_READY) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                    "state of node " + name,
                    "READY",
                    "SUSPECTED or LOST; its agent answers, so it is not powered off");
        }
        long expected = command.getExpectedEpoch();
        if (expected != 0 && expected != node.getStatus().getEpoch()) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_STALE_EPOCH,
                    "epoch of node " + name,
                    Long.toString(expected),
                    node.getStatus().getEpoch() + "; look at the node again before fencing it");
        }
        if (node.getStatus().getFencedMillis() != 0 && entry.allocations().isEmpty()) {
            return Outcomes.node(node);
        }
        Node.Builder fenced = node.toBuilder();
        fenced.getStatusBuilder()
                .setState(NodeState.NODE_STATE_LOST)
                .setEpoch(draft.index())
                .setReportSequence(0)
                .setFencedMillis(Math.max(1, draft.timeMillis()))
                .setReason("fenced as powered off" + (command.getReason().isEmpty() ? "" : ": " + command.getReason()));
        Node done = draft.put(fenced);
        List<Allocation> dead =
                entry.allocations().stream().filter(TaskReports::mayRun).toList();
        reports.lose(draft, dead, "node " + name + " fenced");
        draft.state().node(name).orElseThrow().allocations().stream()
                .filter(allocation -> allocation.getOwnerCase() == Allocation.OwnerCase.NAME)
                .filter(allocation -> allocation.getState() == AllocationState.ALLOCATION_STATE_BOUND
                        || allocation.getState() == AllocationState.ALLOCATION_STATE_RELEASING)
                .toList()
                .forEach(allocation -> draft.release(allocation, "node " + name + " fenced"));
        return Outcomes.node(done);
    }
}
