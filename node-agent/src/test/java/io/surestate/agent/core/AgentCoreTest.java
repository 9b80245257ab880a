package io.surestate.agent.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.Tasks;
import io.surestate.agent.fake.SimulatedDriver;
import io.surestate.agent.fake.TaskScript;
import io.surestate.agent.keeper.GuardedTask;
import io.surestate.api.Limits;
import io.surestate.api.v1.AgentMessage;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DesiredState;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.HeartbeatAck;
import io.surestate.api.v1.NodeCondition;
import io.surestate.api.v1.NodeConditionList;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.OutputRequest;
import io.surestate.api.v1.ReportAck;
import io.surestate.api.v1.ServerMessage;
import io.surestate.api.v1.StatusReport;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.api.v1.Telemetry;
import io.surestate.api.v1.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The core against a scripted server, in virtual time. */
class AgentCoreTest {
    private static final long LEASE = 20_000;
    private static final TaskScript SCRIPT =
            task -> new TaskScript.Run(task.getGroup().getCommandList().contains("short") ? 200 : 60_000, 0, 200);

    private final ScriptedLink link = new ScriptedLink();
    private final FakeKeeper keeper = new FakeKeeper();
    private final SimulatedDriver driver = new SimulatedDriver(SCRIPT);
    private final List<OutputRequest> outputs = new ArrayList<>();
    private final AgentIdentity identity = new AgentIdentity("c", "n", "id", "boot", "inc", "v");
    private NodePicture picture =
            NodePicture.of(NodeSpec.newBuilder().setHostname("h").build());
    private Optional<TelemetrySample> telemetry = Optional.empty();
    private long now = 1_000_000;
    private long desiredRevision;
    private AgentCore core = core();

    private AgentCore core() {
        return new AgentCore(
                identity,
                new AgentCore.Parts(link, driver, keeper, outputs::add, () -> picture, () -> telemetry, new Random(1)),
                0);
    }

    @Test
    void saysHelloWithEverythingThatRuns() {
        driver.poll(now);
        driver.start(Tasks.shell(1, "x"));
        pass(100);
        assertThat(link.hellos()).hasSize(1);
        assertThat(link.hellos().get(0).getNodeId()).isEqualTo("id");
        assertThat(link.hellos().get(0).getSpec().getHostname()).isEqualTo("h");
        assertThat(link.hellos().get(0).getInventoryList())
                .extracting(TaskReport::getAllocationId)
                .containsExactly("a-1");
    }

    @Test
    void countsTheLeaseFromTheMomentTheHeartbeatWasSent() {
        welcome(9);
        pass(100);
        long sent = now;
        assertThat(link.heartbeats()).containsExactly(1L);
        pass(700);
        acknowledgeHeartbeat(1, LEASE);
        assertThat(core.leaseDeadlineMillis()).isEqualTo(sent + LEASE);
    }

    @Test
    void aHeartbeatCarriesTheNewestReadingOfTheMachine() {
        welcome(9);
        pass(100);
        telemetry = Optional.of(
                new TelemetrySample(1, Telemetry.newBuilder().setLoadMilli(700).build()));
        pass(1_000);
        assertThat(link.sent())
                .filteredOn(AgentMessage::hasHeartbeat)
                .extracting(message -> message.getHeartbeat().getTelemetry().getLoadMilli())
                .containsExactly(0, 700);
        pass(1_000);
        assertThat(link.sent().get(link.sent().size() - 1).getHeartbeat().hasTelemetry())
                .isFalse();
    }

    @Test
    void aDeviceThatTurnsIllIsReportedWithTheReasonAndOnce() {
        picture = devices(2, Map.of());
        lease(9);
        picture = devices(2, Map.of(1, "fell off"));
        pass(300);
        assertThat(link.reports()).hasSize(1);
        assertThat(link.reports().get(0).getDevicesList())
                .containsExactly(DeviceReport.newBuilder()
                        .setOrdinal(1)
                        .setHealth(DeviceHealth.DEVICE_HEALTH_UNHEALTHY)
                        .setReason("fell off")
                        .build());
        acknowledgeReport(1);
        picture = devices(2, Map.of());
        pass(300);
        acknowledgeReport(2);
        picture = devices(2, Map.of(1, "fell off"));
        pass(300);
        assertThat(link.reports()).hasSize(3);
        acknowledgeReport(3);
        pass(300);
        assertThat(link.reports()).hasSize(3);
        assertThat(link.hellos()).hasSize(1);
    }

    @Test
    void aHelloSaysWhyDevicesAreIllAndWhatElseIsTheMatter() {
        picture = new NodePicture(
                devices(2, Map.of(0, "hot")).spec(), Map.of(0, "hot"), conditions("discovery/x", "hangs"));
        pass(100);
        assertThat(link.hellos().get(0).getDevicesList())
                .extracting(DeviceReport::getOrdinal, DeviceReport::getReason)
                .containsExactly(tuple(0, "hot"));
        assertThat(link.hellos().get(0).getConditions()).isEqualTo(conditions("discovery/x", "hangs"));
    }

    @Test
    void conditionsAreToldWhenTheyChangeAlsoWhenThereAreNoneAnyMore() {
        lease(9);
        picture = new NodePicture(picture.spec(), Map.of(), conditions("discovery/x", "hangs"));
        pass(300);
        assertThat(link.reports().get(0).getConditions()).isEqualTo(conditions("discovery/x", "hangs"));
        acknowledgeReport(1);
        pass(300);
        assertThat(link.reports()).hasSize(1);
        picture = NodePicture.of(picture.spec());
        pass(300);
        assertThat(link.reports().get(1).hasConditions()).isTrue();
        assertThat(link.reports().get(1).getConditions().getConditionsCount()).isZero();
    }

    @Test
    void aNodeThatBecameAnotherSaysHelloAgainAndItsTasksRunOn() {
        picture = devices(1, Map.of());
        lease(9);
        desire(Tasks.shell(1, "x"));
        pass(300);
        picture = devices(2, Map.of());
        pass(1_000);
        assertThat(link.hellos()).hasSize(2);
        assertThat(link.hellos().get(1).getSpec().getDevicesCount()).isEqualTo(2);
        assertThat(link.hellos().get(1).getInventoryCount()).isEqualTo(1);
        assertThat(link.closedAsFailed).isEmpty();
        assertThat(state("a-1")).isEqualTo(TaskState.TASK_STATE_RUNNING);
    }

    @Test
    void aNodeThatKeepsBecomingAnotherSaysSoEverMoreSlowlyAndKeepsItsLease() {
        lease(9);
        for (int second = 0; second < 1_000; second++) {
            picture = devices(second % 2, Map.of());
            pass(1_000);
            if (!core.serving()) {
                receive(ServerMessage.newBuilder()
                        .setWelcome(Welcome.newBuilder().setEpoch(10 + second).setHeartbeatMillis(1_000))
                        .build());
            }
            pass(100);
            link.heartbeats().stream().reduce((a, b) -> b).ifPresent(last -> acknowledgeHeartbeat(last, LEASE));
            assertThat(core.leaseDeadlineMillis()).isGreaterThan(now);
        }
        assertThat(link.hellos()).hasSizeBetween(5, 15);
    }

    @Test
    void anUnrenewedAcknowledgementLeavesTheLeaseAsItIs() {
        lease(9);
        long deadline = core.leaseDeadlineMillis();
        pass(1_000);
        acknowledgeHeartbeat(2, 0);
        assertThat(core.leaseDeadlineMillis()).isEqualTo(deadline);
    }

    @Test
    void anAcknowledgementOfSomethingNeverSentIsIgnored() {
        welcome(9);
        acknowledgeHeartbeat(77, LEASE);
        assertThat(core.leaseDeadlineMillis()).isZero();
    }

    @Test
    void sendsNoHeartbeatWithoutALiveKeeper() {
        keeper.alive = false;
        welcome(9);
        pass(5_000);
        assertThat(link.heartbeats()).isEmpty();
        keeper.alive = true;
        pass(100);
        assertThat(link.heartbeats()).hasSize(1);
    }

    @Test
    void startsNothingBeforeItHasALease() {
        welcome(9);
        desire(Tasks.shell(1, "x"));
        pass(500);
        assertThat(driver.tasks()).isEmpty();
        acknowledgeHeartbeat(1, LEASE);
        pass(100);
        assertThat(driver.tasks()).hasSize(1);
    }

    @Test
    void tellsTheKeeperBeforeAGuardedTaskStarts() {
        lease(9);
        DesiredTask task = Tasks.stopsAtLeaseEnd(Tasks.shell(1, "x"));
        desire(task, Tasks.shell(2, "keep"));
        pass(100);
        assertThat(keeper.guarded).containsExactly(new GuardedTask("a-1", 101));
        assertThat(keeper.deadlineMillis).isEqualTo(core.leaseDeadlineMillis());
    }

    @Test
    void withoutALeaseEndOfItsOwnATaskWithCheckpointsIsGuarded() {
        lease(9);
        DesiredTask task = Tasks.withCheckpoints(Tasks.shell(1, "x"), 0).toBuilder()
                .clearOnLeaseEnd()
                .build();
        desire(task);
        pass(100);
        assertThat(keeper.guarded).hasSize(1);
    }

    @Test
    void killsGuardedTasksWhenTheLeaseEndsAndLeavesTheOthers() {
        lease(9);
        desire(Tasks.stopsAtLeaseEnd(Tasks.shell(1, "x")), Tasks.shell(2, "keep"));
        pass(500);
        silence(LEASE + 1_000);
        assertThat(state("a-1")).isEqualTo(TaskState.TASK_STATE_LOST);
        assertThat(state("a-2")).isEqualTo(TaskState.TASK_STATE_RUNNING);
    }

    @Test
    void reportsWhatChangedUntilItIsAcknowledged() {
        lease(9);
        desire(Tasks.shell(1, "x"));
        pass(700);
        StatusReport first = link.reports().get(0);
        assertThat(first.getSequence()).isEqualTo(1);
        assertThat(first.getNodeEpoch()).isEqualTo(9);
        passAcknowledgingHeartbeats(Limits.REPORT_RESEND_MILLIS + 200);
        assertThat(link.reports()).hasSize(2);
        assertThat(link.reports().get(1)).isEqualTo(first);
        acknowledgeReport(1);
        desire(Tasks.shell(1, "x").toBuilder().setStop(true).build());
        passAcknowledgingHeartbeats(400);
        StatusReport next = link.reports().get(2);
        assertThat(next.getSequence()).isEqualTo(2);
        assertThat(next.getTasks(0).getState()).isEqualTo(TaskState.TASK_STATE_CANCELLED);
        acknowledgeReport(2);
        passAcknowledgingHeartbeats(20_000);
        assertThat(link.reports()).hasSize(3);
    }

    @Test
    void aTaskThatEndsSoonIsToldOfOnce() {
        lease(9);
        desire(Tasks.shell(1, "short"), Tasks.shell(2, "x"));
        pass(450);
        assertThat(link.reports()).hasSize(1);
        assertThat(link.reports().get(0).getTasksList())
                .extracting(TaskReport::getAllocationId, TaskReport::getState)
                .containsExactly(tuple("a-1", TaskState.TASK_STATE_SUCCEEDED));
        acknowledgeReport(1);
        pass(200);
        assertThat(link.reports().get(1).getTasksList())
                .extracting(TaskReport::getAllocationId, TaskReport::getState)
                .containsExactly(tuple("a-2", TaskState.TASK_STATE_RUNNING));
    }

    @Test
    void aTaskTheLedgerSawStartButTheNodeDoesNotKnowIsLost() {
        lease(9);
        desire(Tasks.shell(1, "x").toBuilder().setStarted(true).build());
        pass(200);
        assertThat(driver.tasks()).isEmpty();
        assertThat(link.said("a-1")).extracting(TaskReport::getState).containsExactly(TaskState.TASK_STATE_LOST);
    }

    @Test
    void aTaskStoppedBeforeItStartedIsCancelledWithoutAStart() {
        lease(9);
        desire(Tasks.shell(1, "x").toBuilder().setStop(true).build());
        pass(200);
        assertThat(driver.tasks()).isEmpty();
        assertThat(link.said("a-1")).extracting(TaskReport::getState).containsExactly(TaskState.TASK_STATE_CANCELLED);
    }

    @Test
    void anAttemptWaitsUntilTheOneBeforeItIsProvenGone() {
        lease(9);
        DesiredTask old = Tasks.shell(1, "x");
        desire(old);
        pass(200);
        DesiredTask.Builder next = old.toBuilder();
        next.getAllocationBuilder().setId("b-1").setEpoch(200).getTaskBuilder().setAttempt(2);
        desire(old.toBuilder().setStop(true).build(), next.build());
        pass(100);
        assertThat(driver.tasks()).extracting(KnownTask::allocationId).containsExactly("a-1");
        pass(500);
        assertThat(state("a-1")).isEqualTo(TaskState.TASK_STATE_CANCELLED);
        assertThat(state("b-1")).isEqualTo(TaskState.TASK_STATE_RUNNING);
    }

    @Test
    void nothingStartsOnWhatAnUnlistedTaskStillUses() {
        lease(9);
        desire(onCore(Tasks.shell(1, "x"), 0));
        pass(200);
        DesiredTask same = onCore(Tasks.shell(2, "x"), 0);
        DesiredTask other = onCore(Tasks.shell(3, "x"), 1);
        desire(same, other);
        pass(100);
        assertThat(driver.tasks()).extracting(KnownTask::allocationId).containsExactlyInAnyOrder("a-1", "a-3");
        pass(6_000);
        assertThat(state("a-2")).isEqualTo(TaskState.TASK_STATE_RUNNING);
        assertThat(driver.tasks()).extracting(KnownTask::allocationId).doesNotContain("a-1");
    }

    private static DesiredTask onCore(DesiredTask task, int core) {
        DesiredTask.Builder placed = task.toBuilder();
        placed.getAllocationBuilder()
                .setClaim(Claim.newBuilder()
                        .addCores(CoreShare.newBuilder().setCoreId(core).setMilli(1_000)));
        return placed.build();
    }

    @Test
    void aStaleAllocationIsNeverStarted() {
        lease(9);
        DesiredTask current = Tasks.shell(1, "x");
        DesiredTask.Builder stale = current.toBuilder();
        stale.getAllocationBuilder().setId("b-1").setEpoch(50);
        desire(current, stale.build());
        pass(200);
        assertThat(driver.tasks()).extracting(KnownTask::allocationId).containsExactly("a-1");
        assertThat(link.said("b-1")).extracting(TaskReport::getState).containsExactly(TaskState.TASK_STATE_LOST);
    }

    @Test
    void whatTheLedgerDoesNotListIsStoppedAndThenForgotten() {
        lease(9);
        desire(Tasks.shell(1, "x"));
        pass(200);
        desire();
        pass(100);
        assertThat(state("a-1")).isEqualTo(TaskState.TASK_STATE_STOPPING);
        pass(1_000);
        assertThat(driver.tasks()).isEmpty();
    }

    @Test
    void anOlderDesiredStateIsIgnored() {
        lease(9);
        desire(Tasks.shell(1, "x"));
        pass(100);
        desiredRevision -= 2;
        desire();
        pass(1_000);
        assertThat(state("a-1")).isEqualTo(TaskState.TASK_STATE_RUNNING);
    }

    @Test
    void followsALeaderHintAtOnceAndWaitsAfterOtherFailures() {
        pass(100);
        core.closed(link.stream, notLeader("s2:7300"), now);
        core.poll(now);
        assertThat(link.hellos()).hasSize(2);
        core.closed(link.stream, notLeader(""), now);
        core.poll(now);
        assertThat(link.hellos()).hasSize(2);
        pass(Limits.AGENT_RECONNECT_MILLIS_MAX);
        assertThat(link.hellos()).hasSize(3);
    }

    @Test
    void aHintThatLeadsInCirclesIsNotFollowedForEver() {
        pass(100);
        for (int i = 0; i < 50; i++) {
            core.closed(link.stream, notLeader("s2:7300"), now);
            core.poll(now);
        }
        assertThat(link.hellos()).hasSizeLessThan(10);
    }

    @Test
    void keepsTasksAndSaysHelloAgainWhenTheStreamBreaks() {
        lease(9);
        desire(Tasks.shell(1, "x"));
        pass(300);
        core.closed(link.stream, ErrorDetail.getDefaultInstance(), now);
        pass(Limits.AGENT_RECONNECT_MILLIS_MAX);
        assertThat(link.hellos()).hasSize(2);
        assertThat(link.hellos().get(1).getInventory(0).getState()).isEqualTo(TaskState.TASK_STATE_RUNNING);
        receive(ServerMessage.newBuilder()
                .setWelcome(Welcome.newBuilder().setEpoch(12))
                .build());
        pass(300);
        assertThat(state("a-1")).isEqualTo(TaskState.TASK_STATE_RUNNING);
        assertThat(link.reports().stream().filter(r -> r.getNodeEpoch() == 12)).isEmpty();
    }

    @Test
    void aSecondCoreOverTheSameTasksGoesOn() {
        lease(9);
        desire(Tasks.shell(1, "x"));
        pass(300);
        keeper.lastDeadlineMillis = core.leaseDeadlineMillis();
        core = core();
        lease(13);
        desire(Tasks.shell(1, "x").toBuilder().setStarted(true).build());
        pass(300);
        assertThat(state("a-1")).isEqualTo(TaskState.TASK_STATE_RUNNING);
    }

    @Test
    void givesUpAServerThatDoesNotAnswer() {
        pass(100);
        long first = link.stream;
        pass(Limits.HELLO_MILLIS_MAX + Limits.AGENT_RECONNECT_MILLIS_MAX);
        assertThat(link.closedAsFailed).containsExactly(first);
        assertThat(link.hellos()).hasSizeGreaterThan(1);
        receive(ServerMessage.newBuilder()
                .setWelcome(Welcome.newBuilder().setEpoch(9))
                .build());
        silence(7_000);
        assertThat(link.closedAsFailed).hasSize(2);
    }

    @Test
    void lateMessagesOfAnEndedStreamAreIgnored() {
        lease(9);
        long old = link.stream;
        core.closed(old, ErrorDetail.getDefaultInstance(), now);
        pass(Limits.AGENT_RECONNECT_MILLIS_MAX);
        core.message(
                old,
                ServerMessage.newBuilder()
                        .setDesired(DesiredState.newBuilder().setRevision(99).addTasks(Tasks.shell(1, "x")))
                        .build(),
                now);
        pass(300);
        assertThat(driver.tasks()).isEmpty();
    }

    @Test
    void handsOutputRequestsOn() {
        welcome(9);
        receive(ServerMessage.newBuilder()
                .setOutput(OutputRequest.newBuilder().setStreamId("s"))
                .build());
        assertThat(outputs).extracting(OutputRequest::getStreamId).containsExactly("s");
    }

    private static NodePicture devices(int count, Map<Integer, String> ailments) {
        NodeSpec.Builder spec = NodeSpec.newBuilder().setHostname("h");
        for (int ordinal = 0; ordinal < count; ordinal++) {
            spec.addDevices(Device.newBuilder()
                    .setOrdinal(ordinal)
                    .setHealth(
                            ailments.containsKey(ordinal)
                                    ? DeviceHealth.DEVICE_HEALTH_UNHEALTHY
                                    : DeviceHealth.DEVICE_HEALTH_HEALTHY));
        }
        return new NodePicture(spec.build(), ailments, NodeConditionList.getDefaultInstance());
    }

    private static NodeConditionList conditions(String name, String reason) {
        return NodeConditionList.newBuilder()
                .addConditions(NodeCondition.newBuilder().setName(name).setReason(reason))
                .build();
    }

    private void welcome(long epoch) {
        pass(100);
        receive(ServerMessage.newBuilder()
                .setWelcome(Welcome.newBuilder().setEpoch(epoch).setHeartbeatMillis(1_000))
                .build());
    }

    private void lease(long epoch) {
        int before = link.heartbeats().size();
        welcome(epoch);
        pass(100);
        acknowledgeHeartbeat(link.heartbeats().get(before), LEASE);
    }

    private void desire(DesiredTask... tasks) {
        receive(ServerMessage.newBuilder()
                .setDesired(
                        DesiredState.newBuilder().setRevision(++desiredRevision).addAllTasks(List.of(tasks)))
                .build());
    }

    private void acknowledgeHeartbeat(long sequence, long leaseMillis) {
        receive(ServerMessage.newBuilder()
                .setHeartbeatAck(HeartbeatAck.newBuilder().setSequence(sequence).setLeaseMillis(leaseMillis))
                .build());
    }

    private void acknowledgeReport(long sequence) {
        receive(ServerMessage.newBuilder()
                .setReportAck(ReportAck.newBuilder().setSequence(sequence))
                .build());
    }

    private void receive(ServerMessage message) {
        core.message(link.stream, message, now);
    }

    private void pass(long millis) {
        for (long end = now + millis; now < end; ) {
            now += 100;
            core.poll(now);
        }
    }

    private void silence(long millis) {
        pass(millis);
    }

    private void passAcknowledgingHeartbeats(long millis) {
        for (long end = now + millis; now < end; ) {
            pass(100);
            link.heartbeats().stream().reduce((a, b) -> b).ifPresent(last -> acknowledgeHeartbeat(last, LEASE));
        }
    }

    private TaskState state(String allocationId) {
        return driver.tasks().stream()
                .filter(task -> task.allocationId().equals(allocationId))
                .map(task -> task.report().getState())
                .findFirst()
                .orElse(TaskState.TASK_STATE_UNSPECIFIED);
    }

    private static ErrorDetail notLeader(String hint) {
        return ErrorDetail.newBuilder()
                .setCode(ErrorCode.ERROR_CODE_NOT_LEADER)
                .setLeaderHint(hint)
                .build();
    }
}
