package io.surestate.sim.cluster;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.StatusReport;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.log.v1.CommitPlan;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.FenceNode;
import io.surestate.log.v1.InitCluster;
import io.surestate.log.v1.LogEntry;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RegisterNode;
import io.surestate.log.v1.ReportTasks;
import io.surestate.log.v1.SubmitJob;
import io.surestate.log.v1.SuspectNode;
import io.surestate.statemachine.CommittedEntry;
import io.surestate.statemachine.Core;
import io.surestate.statemachine.decision.FeatureLevels;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.Conservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster without servers and agents: commands go straight to the core that servers apply them with, and conservation is checked after each
 * entry as there. Rows, digests and history, which servers keep on disk, are left out: what is over is forgotten. Every command has to
 * succeed; a {@link ClusterRefusal} is thrown where one does not. Used by one thread.
 */
public final class VirtualCluster {
    private static final String CLUSTER = "simulated";
    private static final long TERM = 1;

    private final Core core = new Core((index, command, fault) -> {
        throw new IllegalStateException("command " + command + " at index " + index, fault);
    });
    private ClusterState state;
    private long timeMillis;

    private VirtualCluster(ClusterState state) {
        this.state = state;
        this.timeMillis = state.meta().getTimeMillis();
    }

    /** One without nodes, at time 0. */
    public static VirtualCluster empty() {
        VirtualCluster cluster = new VirtualCluster(ClusterState.empty());
        cluster.apply(Envelope.newBuilder()
                .setInitCluster(InitCluster.newBuilder().setClusterId(CLUSTER).setHistoryId(CLUSTER)));
        return cluster;
    }

    /** One that begins as another cluster stands. */
    public static VirtualCluster of(ClusterState state) {
        return new VirtualCluster(state);
    }

    /** As it stands now. */
    public ClusterState state() {
        return state;
    }

    /** Of the state: one more with each entry. */
    public long revision() {
        return state.revision();
    }

    /** Time goes on to that moment; never back. */
    public void advance(long toMillis) {
        timeMillis = Math.max(timeMillis, toMillis);
    }

    public long timeMillis() {
        return timeMillis;
    }

    /** An agent of that name comes. */
    public Node register(String name, NodeSpec spec) {
        Hello.Builder hello = Hello.newBuilder()
                .setClusterId(state.meta().getClusterId())
                .setNodeName(name)
                .setNodeId(name)
                .setBootId(CLUSTER)
                .setIncarnation(CLUSTER)
                .setSpec(spec);
        return apply(Envelope.newBuilder()
                        .setRegisterNode(RegisterNode.newBuilder().setHello(hello)))
                .getNode();
    }

    /** A job with name, tenant and a whole spec is submitted. */
    public Job submit(Job job) {
        return apply(Envelope.newBuilder().setSubmitJob(SubmitJob.newBuilder().setJob(job)))
                .getJob();
    }

    /** A plan is committed, all of it. */
    public void commit(Plan plan) {
        Outcome outcome = apply(
                Envelope.newBuilder().setCommitPlan(CommitPlan.newBuilder().setPlan(plan)));
        if (outcome.getPlan().getConflictsCount() > 0) {
            throw new ClusterRefusal(
                    ErrorCode.ERROR_CODE_PLAN_CONFLICT,
                    outcome.getPlan().getConflicts(0).getMessage());
        }
    }

    /** All tasks of a placed job end well, in this moment. */
    public void finish(String jobUid) {
        List<Task> placed = state.job(jobUid).orElseThrow().tasks().stream()
                .filter(task -> task.getState() != TaskState.TASK_STATE_PENDING)
                .toList();
        report(placed, TaskState.TASK_STATE_SUCCEEDED);
    }

    /** What of a job was told to stop has stopped, in this moment, on nodes whose agents are there to tell. */
    public void stop(String jobUid) {
        List<Task> stopping = state.job(jobUid).stream()
                .flatMap(job -> job.tasks().stream())
                .filter(task -> task.getState() == TaskState.TASK_STATE_STOPPING)
                .filter(task -> state.node(task.getNode()).orElseThrow().schedulable())
                .toList();
        report(stopping, TaskState.TASK_STATE_CANCELLED);
    }

    /** Agents report it node by node. */
    private void report(List<Task> tasks, TaskState end) {
        Map<String, StatusReport.Builder> reports = new TreeMap<>();
        for (Task task : tasks) {
            Allocation place =
                    state.allocation(task.getNode(), task.getAllocationId()).orElseThrow();
            reports.computeIfAbsent(task.getNode(), this::report)
                    .addTasks(TaskReport.newBuilder()
                            .setAllocationId(place.getId())
                            .setEpoch(place.getEpoch())
                            .setTask(place.getTask())
                            .setState(end));
        }
        List<Envelope> commands = new ArrayList<>();
        reports.forEach((node, report) -> commands.add(Envelope.newBuilder()
                .setReportTasks(ReportTasks.newBuilder().setNode(node).setReport(report))
                .build()));
        if (!commands.isEmpty()) {
            apply(commands);
        }
    }

    private StatusReport.Builder report(String name) {
        Node node = state.node(name).orElseThrow().node();
        return StatusReport.newBuilder()
                .setNodeEpoch(node.getStatus().getEpoch())
                .setSequence(node.getStatus().getReportSequence() + 1);
    }

    /** A registered node is powered off and will not come back: nothing runs there any more. */
    public void takeAway(String name, String reason) {
        Node node = state.node(name).orElseThrow().node();
        if (node.getStatus().getState() == NodeState.NODE_STATE_READY) {
            apply(Envelope.newBuilder()
                    .setSuspectNode(SuspectNode.newBuilder()
                            .setNode(name)
                            .setEpoch(node.getStatus().getEpoch())
                            .setReason(reason)));
        }
        apply(Envelope.newBuilder()
                .setFenceNode(FenceNode.newBuilder().setNode(name).setReason(reason)));
    }

    private Outcome apply(Envelope.Builder command) {
        return apply(List.of(command.build())).get(0);
    }

    /** Applies commands together, as one entry of the log. */
    private List<Outcome> apply(List<Envelope> commands) {
        LogEntry entry = LogEntry.newBuilder()
                .setFeatureLevel(FeatureLevels.NEWEST)
                .setTerm(TERM)
                .setTimeMillis(timeMillis)
                .addAllCommands(commands)
                .build();
        Core.EntryDecision decision =
                core.decide(state, CommittedEntry.of(Math.max(TERM, state.term()), state.revision() + 1, entry));
        Conservation.checkTouched(decision.next(), decision.changes());
        for (int i = 0; i < commands.size(); i++) {
            Outcome outcome = decision.outcomes().get(i);
            if (outcome.hasRejected()) {
                throw new ClusterRefusal(
                        outcome.getRejected().getCode(), outcome.getRejected().getMessage());
            }
        }
        state = decision.next();
        return decision.outcomes();
    }
}
