package io.surestate.statemachine.node;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodeStatus;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RegisterNode;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.job.TaskReports;
import io.surestate.statemachine.state.NodeEntry;
import java.util.List;
import java.util.Optional;

/**
 * An agent says hello: its node gets a new epoch, which fences the reports of the agent before. Another boot id proves every task
 * of the boot before dead, and is taken once that boot's lease is over; within one boot what is not in the inventory stays counted until the agent reports its end.
 */
public final class RegisterNodeHandler {
    private final TaskReports reports = new TaskReports();

    public Outcome decide(Draft draft, RegisterNode command) {
        Hello hello = command.getHello();
        return refusal(draft, hello).orElseGet(() -> register(draft, hello));
    }

    private static Optional<Outcome> refusal(Draft draft, Hello hello) {
        String cluster = draft.state().meta().getClusterId();
        if (!hello.getClusterId().equals(cluster)) {
            return Optional.of(
                    Outcomes.rejected(ErrorCode.ERROR_CODE_WRONG_CLUSTER, "cluster id", hello.getClusterId(), cluster));
        }
        if (hello.getNodeName().isEmpty() || hello.getNodeId().isEmpty()) {
            return Optional.of(Outcomes.rejected(
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "node", hello.getNodeName(), "a name and an id"));
        }
        Optional<Outcome> shape = NodeSpecs.problem(hello.getSpec())
                .map(message -> Outcomes.rejected(ErrorCode.ERROR_CODE_INVALID_ARGUMENT, message));
        return shape.or(() -> conflict(draft, hello))
                .or(() -> epochTaken(draft, hello))
                .or(() -> bootNotOver(draft, hello))
                .or(() -> NodeCheck.tooMany(draft, hello.getNodeName()));
    }

    private static Optional<Outcome> conflict(Draft draft, Hello hello) {
        Optional<NodeEntry> sameName = draft.state().node(hello.getNodeName());
        if (sameName.isPresent() && heldByOther(sameName.get(), hello)) {
            return Optional.of(Outcomes.rejected(
                    ErrorCode.ERROR_CODE_NODE_CONFLICT,
                    "node id",
                    hello.getNodeId(),
                    sameName.get().node().getId() + ", which has the name " + hello.getNodeName()));
        }
        return draft.state()
                .nodeWithId(hello.getNodeId())
                .filter(entry -> !entry.node().getName().equals(hello.getNodeName()))
                .filter(entry -> entry.node().getStatus().getState() != NodeState.NODE_STATE_LOST
                        || !entry.allocations().isEmpty())
                .map(entry -> Outcomes.rejected(
                        ErrorCode.ERROR_CODE_NODE_CONFLICT,
                        "node name",
                        hello.getNodeName(),
                        entry.node().getName() + ", which has the id " + hello.getNodeId()));
    }

    /** A machine that may still run something keeps its name: another machine's boot id proves nothing about it. */
    private static boolean heldByOther(NodeEntry entry, Hello hello) {
        boolean other = !entry.node().getId().equals(hello.getNodeId());
        boolean lost = entry.node().getStatus().getState() == NodeState.NODE_STATE_LOST;
        return other && entry.registered() && (!lost || !entry.allocations().isEmpty());
    }

    /**
     * Another boot of a node that may run something is heard once the boot before is given up. A machine with a copied disk has the same
     * name and id, and its boot says nothing about tasks that still run under a lease elsewhere.
     */
    private static Optional<Outcome> bootNotOver(Draft draft, Hello hello) {
        return draft.state()
                .node(hello.getNodeName())
                .filter(entry -> entry.allocations().stream().anyMatch(TaskReports::mayRun))
                .map(entry -> entry.node().getStatus())
                .filter(status -> !status.getBootId().equals(hello.getBootId()))
                .filter(status -> status.getState() != NodeState.NODE_STATE_LOST)
                .map(status -> Outcomes.rejected(
                        ErrorCode.ERROR_CODE_NODE_CONFLICT,
                        "boot id",
                        hello.getBootId(),
                        status.getBootId() + ", whose lease may not be over; tried again, it succeeds once it is"));
    }

    /** Epochs are log indexes: two registrations of one node in one entry could not be told apart. */
    private static Optional<Outcome> epochTaken(Draft draft, Hello hello) {
        return draft.state()
                .node(hello.getNodeName())
                .filter(entry -> entry.node().getStatus().getEpoch() == draft.index())
                .map(entry -> Outcomes.rejected(
                        ErrorCode.ERROR_CODE_NODE_CONFLICT,
                        "incarnation",
                        hello.getIncarnation(),
                        "one registration of the node at a time; tried again, it succeeds"));
    }

    private Outcome register(Draft draft, Hello hello) {
        Optional<NodeEntry> before = draft.state().node(hello.getNodeName());
        if (before.isPresent() && !before.get().node().getStatus().getBootId().equals(hello.getBootId())) {
            List<Allocation> dead = before.get().allocations().stream()
                    .filter(TaskReports::mayRun)
                    .toList();
            reports.lose(draft, dead, "node " + hello.getNodeName() + " booted");
        }
        Node.Builder heard = Node.newBuilder()
                .setName(hello.getNodeName())
                .setId(hello.getNodeId())
                .setSpec(hello.getSpec())
                .setStatus(status(draft, hello, before.map(entry -> entry.node().getStatus())));
        hello.getDevicesList().forEach(device -> ReportTasksHandler.health(draft, heard, device));
        Node node = draft.put(heard);
        reports.apply(draft, hello.getNodeName(), hello.getInventoryList());
        return Outcomes.node(node);
    }

    /** What outlives a registration: quarantines with their history, the operator's cordon, and since when conditions hold. */
    private static NodeStatus status(Draft draft, Hello hello, Optional<NodeStatus> before) {
        NodeStatus.Builder status = NodeStatus.newBuilder()
                .setState(NodeState.NODE_STATE_READY)
                .setEpoch(draft.index())
                .setBootId(hello.getBootId())
                .setIncarnation(hello.getIncarnation())
                .setRegisteredMillis(draft.timeMillis())
                .setAgentVersion(hello.getAgentVersion());
        before.ifPresent(last -> {
            status.addAllQuarantined(last.getQuarantinedList())
                    .addAllDeviceFalls(last.getDeviceFallsList())
                    .addAllConditions(last.getConditionsList());
            if (last.hasCordon()) {
                status.setCordon(last.getCordon());
            }
        });
        ToldConditions.replace(status, hello.getConditions(), draft.timeMillis());
        return status.build();
    }
}
