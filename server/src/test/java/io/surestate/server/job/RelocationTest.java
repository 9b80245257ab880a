package io.surestate.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Heartbeat;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.StatusReport;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.api.v1.Telemetry;
import io.surestate.log.v1.CordonNode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.UncordonNode;
import io.surestate.server.fixture.LoneServer;
import io.surestate.server.fixture.NoAgent;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RelocationTest {
    private final LoneServer server = LoneServer.leading();
    private final Map<String, NoAgent> agents = new TreeMap<>();
    private long sequence;

    private void join(String node, int cores) {
        NoAgent agent = new NoAgent();
        agents.put(node, agent);
        server.core().agents().hello(agent, LoneServer.hello(node, "i", cores));
        server.settle();
    }

    private void propose(Envelope.Builder command) {
        var unused = server.core().commit().submit(command.build());
        server.settle();
    }

    private void drain(String node, long deadlineAfterMillis) {
        propose(Envelope.newBuilder()
                .setCordonNode(CordonNode.newBuilder()
                        .setNode(node)
                        .setReason("kernel upgrade")
                        .setDrain(true)
                        .setDeadlineAfterMillis(deadlineAfterMillis)));
    }

    private JobEntry job(String name) {
        return server.state().liveJob("default", name).orElseThrow();
    }

    private JobStatus status(String name) {
        return job(name).job().getStatus();
    }

    private List<String> nodes(String name) {
        return job(name).tasks().stream().map(Task::getNode).distinct().toList();
    }

    /** Agents of the job's nodes report each of its tasks in this state. */
    private void report(String name, TaskState state) {
        for (Task task : List.copyOf(job(name).tasks())) {
            server.core()
                    .agents()
                    .report(
                            Objects.requireNonNull(agents.get(task.getNode())),
                            StatusReport.newBuilder()
                                    .setSequence(++sequence)
                                    .setNodeEpoch(server.node(task.getNode())
                                            .getStatus()
                                            .getEpoch())
                                    .addTasks(TaskReport.newBuilder()
                                            .setAllocationId(task.getAllocationId())
                                            .setEpoch(server.state()
                                                    .allocation(task.getNode(), task.getAllocationId())
                                                    .orElseThrow()
                                                    .getEpoch())
                                            .setState(state))
                                    .build());
            server.settle();
        }
    }

    @Test
    void aGangIsMovedFromADrainedNodeAsSoonAsItHasAnotherPlace() {
        join("n1", 4);
        server.submit(LoneServer.job("train", 2, 2_000));
        server.advance(500);
        drain("n1", 0);
        server.advance(600);
        assertThat(status("train").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        assertThat(server.core().relocation().reason(job("train").job().getUid()))
                .hasValueSatisfying(why -> assertThat(why).startsWith("no other place: "));
        join("n2", 4);
        server.advance(600);
        assertThat(status("train").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
        assertThat(status("train").getReason()).isEqualTo("moves: node n1 is drained: kernel upgrade");
        report("train", TaskState.TASK_STATE_CANCELLED);
        assertThat(status("train").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        assertThat(nodes("train")).containsExactly("n2");
        assertThat(status("train").getMoves()).isOne();
        assertThat(server.state().node("n1").orElseThrow().allocations()).isEmpty();
    }

    @Test
    void aPlaceOfItsOwnMayBeKeptByAnotherTaskOfTheGang() {
        join("n1", 4);
        join("n2", 4);
        server.submit(LoneServer.job("train", 2, 4_000));
        server.advance(200);
        assertThat(nodes("train")).containsExactlyInAnyOrder("n1", "n2");
        join("n3", 4);
        drain("n2", 0);
        server.advance(600);
        assertThat(status("train").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
        report("train", TaskState.TASK_STATE_CANCELLED);
        assertThat(nodes("train")).containsExactlyInAnyOrder("n1", "n3");
    }

    @Test
    void withoutAnyOtherPlaceItIsStoppedAtTheDeadlineAndRunsAgainAfterTheDrain() {
        join("n1", 4);
        server.submit(LoneServer.job("train", 2, 2_000));
        server.advance(200);
        drain("n1", 1_000);
        server.advance(700);
        assertThat(status("train").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        server.advance(600);
        assertThat(status("train").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
        report("train", TaskState.TASK_STATE_CANCELLED);
        server.advance(200);
        assertThat(status("train").getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
        String uid = job("train").job().getUid();
        assertThat(server.core().scheduling().reason(uid))
                .hasValueSatisfying(why -> assertThat(why).contains("1 node cordoned (kernel upgrade)"));
        propose(Envelope.newBuilder()
                .setUncordonNode(UncordonNode.newBuilder().setNode("n1").setDrain(true)));
        server.advance(200);
        assertThat(status("train").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        assertThat(status("train").getFailures()).isZero();
    }

    @Test
    void anotherLeaderGoesOnWithTheDrain() {
        join("n1", 4);
        server.submit(LoneServer.job("train", 1, 2_000));
        server.advance(200);
        drain("n1", 0);
        server.advance(600);
        server.log().follow(2, "s2");
        server.settle();
        server.log().lead(3);
        server.settle();
        join("n1", 4);
        join("n2", 4);
        server.advance(600);
        assertThat(status("train").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
    }

    @Test
    void manyGangsLeaveOneAfterAnother() {
        join("n1", 8);
        for (int i = 0; i < 8; i++) {
            server.submit(LoneServer.job("small-" + i, 1, 1_000));
        }
        server.advance(200);
        join("n2", 8);
        drain("n1", 0);
        server.advance(600);
        assertThat(server.state().jobs())
                .extracting(JobEntry::job)
                .extracting(Job::getStatus)
                .allSatisfy(status -> {
                    assertThat(status.getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
                });
        assertThat(server.planConflicts()).isEmpty();
    }

    private void joinWithDevices(String node) {
        Hello.Builder hello = LoneServer.hello(node, "i", 4).toBuilder();
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            hello.getSpecBuilder()
                    .addDevices(Device.newBuilder()
                            .setOrdinal(ordinal)
                            .setKind(DeviceKind.DEVICE_KIND_GPU)
                            .setModel("H100")
                            .setHealth(DeviceHealth.DEVICE_HEALTH_HEALTHY));
        }
        NoAgent agent = new NoAgent();
        agents.put(node, agent);
        server.core().agents().hello(agent, hello.build());
        server.settle();
    }

    private static Job onDevices(String name, boolean movable) {
        Job.Builder job = LoneServer.job(name, 1, 1_000).toBuilder();
        job.getSpecBuilder().setMovable(movable);
        job.getSpecBuilder()
                .getGroupsBuilder(0)
                .getResourcesBuilder()
                .addDevices(DeviceRequest.newBuilder()
                        .setKind(DeviceKind.DEVICE_KIND_GPU)
                        .setCount(1));
        return job.build();
    }

    @Test
    void whoIsMovableLeavesADeviceThatIsQuarantinedAndOthersStay() {
        joinWithDevices("n1");
        server.submit(onDevices("moves", true));
        server.submit(onDevices("stays", false));
        server.advance(200);
        joinWithDevices("n2");
        StatusReport.Builder ill = StatusReport.newBuilder()
                .setSequence(++sequence)
                .setNodeEpoch(server.node("n1").getStatus().getEpoch());
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            ill.addDevices(DeviceReport.newBuilder()
                    .setOrdinal(ordinal)
                    .setHealth(DeviceHealth.DEVICE_HEALTH_UNHEALTHY)
                    .setReason("xid 79"));
        }
        server.core().agents().report(Objects.requireNonNull(agents.get("n1")), ill.build());
        server.settle();
        server.advance(600);
        assertThat(status("moves").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
        assertThat(status("moves").getReason()).contains("is quarantined: xid 79");
        assertThat(status("stays").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        report("moves", TaskState.TASK_STATE_CANCELLED);
        assertThat(nodes("moves")).containsExactly("n2");
    }

    private void heat(String node, int celsius) {
        server.core()
                .agents()
                .heartbeat(
                        Objects.requireNonNull(agents.get(node)),
                        Heartbeat.newBuilder()
                                .setSequence(1)
                                .setTelemetry(Telemetry.newBuilder().setTemperatureCelsius(celsius))
                                .build());
        server.settle();
    }

    private static Job movable(Job job) {
        Job.Builder movable = job.toBuilder();
        movable.getSpecBuilder().setMovable(true);
        return movable.build();
    }

    @Test
    void whoIsMovableLeavesAHotNodeForOneThatIsNot() {
        join("n1", 4);
        server.submit(movable(LoneServer.job("moves", 1, 2_000)));
        server.submit(LoneServer.job("stays", 1, 1_000));
        server.advance(200);
        join("n2", 4);
        heat("n1", 84);
        server.advance(600);
        assertThat(status("moves").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        heat("n1", 91);
        heat("n2", 91);
        server.advance(600);
        assertThat(status("moves").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        heat("n1", 80);
        heat("n2", 60);
        server.advance(600);
        assertThat(status("moves").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
        assertThat(status("moves").getReason())
                .isEqualTo("moves: node n1 is not well: 80 °C, at 0 % of its power limit");
        assertThat(status("stays").getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        report("moves", TaskState.TASK_STATE_CANCELLED);
        assertThat(nodes("moves")).containsExactly("n2");
        heat("n1", 60);
        heat("n2", 91);
        server.advance(600);
        assertThat(status("moves").getPhase())
                .as("it is not moved from node to node")
                .isEqualTo(JobPhase.JOB_PHASE_RUNNING);
    }
}
