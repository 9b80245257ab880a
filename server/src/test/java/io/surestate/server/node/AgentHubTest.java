package io.surestate.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.DesiredState;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GangNode;
import io.surestate.api.v1.Heartbeat;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.ServerMessage;
import io.surestate.api.v1.StatusReport;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.server.api.Refused;
import io.surestate.server.fixture.LoneServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AgentHubTest {
    private static final long SILENCE_MILLIS = 3 * LoneServer.HEARTBEAT_MILLIS;

    private final LoneServer server = LoneServer.leading();
    private final AgentHub hub = server.core().agents();

    private static final class Heard implements AgentLink {
        private final List<ServerMessage> messages = new ArrayList<>();
        private final List<Refused> refusals = new ArrayList<>();
        private long sequence;

        @Override
        public void send(ServerMessage message) {
            messages.add(message);
        }

        @Override
        public void refuse(Refused reason) {
            refusals.add(reason);
        }

        /** What it was told last that it should run. */
        DesiredState placed() {
            return messages.stream()
                    .filter(ServerMessage::hasDesired)
                    .map(ServerMessage::getDesired)
                    .reduce((before, after) -> after)
                    .orElseThrow();
        }

        List<Long> leases() {
            return messages.stream()
                    .filter(ServerMessage::hasHeartbeatAck)
                    .map(message -> message.getHeartbeatAck().getLeaseMillis())
                    .toList();
        }
    }

    private Heard register(String node, String incarnation) {
        Heard link = new Heard();
        hub.hello(link, LoneServer.hello(node, incarnation, 4));
        server.settle();
        return link;
    }

    private void beat(Heard link) {
        hub.heartbeat(link, Heartbeat.newBuilder().setSequence(++link.sequence).build());
        server.settle();
    }

    private NodeState state(String node) {
        return server.node(node).getStatus().getState();
    }

    @Test
    void aHelloIsAnsweredOnceTheRegistrationIsCommitted() {
        server.log().hold();
        Heard link = register("n1", "a");
        assertThat(link.messages).isEmpty();
        server.log().release();
        server.settle();
        assertThat(link.messages.get(0).getWelcome().getEpoch()).isPositive();
        assertThat(link.messages.get(1).hasDesired()).isTrue();
    }

    @Test
    void aHeartbeatRenewsTheLeaseOnlyAfterAConfirmedRound() {
        Heard link = register("n1", "a");
        server.log().confirmReads(false);
        beat(link);
        assertThat(link.leases()).isEmpty();
        server.log().confirmReads(true);
        beat(link);
        assertThat(link.leases()).containsExactly(LoneServer.LEASE_MILLIS);
    }

    @Test
    void aNodeIsSuspectedAfterThreeMissedHeartbeatsAndNotBefore() {
        Heard link = register("n1", "a");
        server.advance(SILENCE_MILLIS);
        beat(link);
        server.advance(SILENCE_MILLIS - 100);
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_READY);
        server.advance(1_000);
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_SUSPECTED);
    }

    @Test
    void aSuspicionEndsOnlyByACommittedClearanceAndNoLeaseIsRenewedMeanwhile() {
        Heard link = register("n1", "a");
        server.advance(2 * SILENCE_MILLIS);
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_SUSPECTED);
        server.log().hold();
        beat(link);
        beat(link);
        assertThat(link.leases()).containsExactly(0L, 0L);
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_SUSPECTED);
        server.log().release();
        server.settle();
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_READY);
        beat(link);
        assertThat(link.leases()).containsExactly(0L, 0L, LoneServer.LEASE_MILLIS);
    }

    @Test
    void theLeaseIsWithheldFromTheMomentAtWhichTheSuspicionIsProposed() {
        Heard link = register("n1", "a");
        server.log().hold();
        server.advance(2 * SILENCE_MILLIS);
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_READY);
        beat(link);
        assertThat(link.leases()).containsExactly(0L);
    }

    @Test
    void theLeaseIsWithheldFromAStreamThatOpensWhileItsNodeIsAboutToBeSuspected() {
        hub.closed(register("n1", "a"));
        server.advance(SILENCE_MILLIS - 500);
        server.log().hold();
        Heard again = register("n1", "a");
        server.pass(1_000);
        server.log().release();
        server.log().hold();
        // The registration is applied and its silence seen; only then does the hub hear that it was committed.
        server.applyAheadOfAnswers();
        server.settle();
        assertThat(again.messages.get(0).hasWelcome()).isTrue();
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_READY);
        beat(again);
        assertThat(again.leases()).containsExactly(0L);
        server.log().release();
        server.settle();
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_READY);
        beat(again);
        assertThat(again.leases()).containsExactly(0L, LoneServer.LEASE_MILLIS);
    }

    @Test
    void aSuspectedNodeIsLostAfterLeaseAndMargin() {
        Heard link = register("n1", "a");
        server.advance(2 * SILENCE_MILLIS);
        server.advance(LoneServer.LEASE_MILLIS + LoneServer.MARGIN_MILLIS - SILENCE_MILLIS - 1_000);
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_SUSPECTED);
        server.advance(SILENCE_MILLIS + 2_000);
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_LOST);
        beat(link);
        assertThat(link.refusals)
                .singleElement()
                .satisfies(
                        refused -> assertThat(refused.detail().getCode()).isEqualTo(ErrorCode.ERROR_CODE_STALE_EPOCH));
    }

    @Test
    void aSecondLiveAgentOfANodeIsRefusedAndTheSameProcessIsNot() {
        Heard first = register("n1", "a");
        beat(first);
        Heard other = register("n1", "b");
        assertThat(other.refusals)
                .singleElement()
                .satisfies(refused ->
                        assertThat(refused.detail().getCode()).isEqualTo(ErrorCode.ERROR_CODE_NODE_CONFLICT));
        Heard again = register("n1", "a");
        assertThat(again.messages).isNotEmpty();
        assertThat(first.refusals).hasSize(1);
    }

    @Test
    void anotherAgentTakesOverOnceTheFirstOnesStreamEnded() {
        Heard first = register("n1", "a");
        hub.closed(first);
        Heard second = register("n1", "b");
        assertThat(second.messages.get(0).hasWelcome()).isTrue();
    }

    @Test
    void whenManyNodesFallSilentAtOnceTheLeaderDoubtsItselfFirst() {
        List<Heard> links = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            links.add(register("n" + i, "a"));
        }
        links.forEach(this::beat);
        server.advance(SILENCE_MILLIS + 500);
        assertThat(state("n0")).isEqualTo(NodeState.NODE_STATE_READY);
        server.advance(SILENCE_MILLIS + 1_000);
        assertThat(state("n0")).isEqualTo(NodeState.NODE_STATE_SUSPECTED);
        assertThat(state("n11")).isEqualTo(NodeState.NODE_STATE_SUSPECTED);
    }

    @Test
    void aLoopThatWasHeldUpDoesNotBlameTheNodes() {
        Heard link = register("n1", "a");
        server.advance(SILENCE_MILLIS);
        beat(link);
        server.stall(SILENCE_MILLIS + 2_000);
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_READY);
        beat(link);
        server.advance(1_000);
        assertThat(state("n1")).isEqualTo(NodeState.NODE_STATE_READY);
    }

    @Test
    void whoStopsLeadingSendsItsAgentsAwayAndRefusesNewOnes() {
        Heard link = register("n1", "a");
        server.log().follow(2, "s2");
        server.settle();
        Heard late = register("n2", "a");
        assertThat(List.of(link.refusals.get(0), late.refusals.get(0)))
                .allSatisfy(
                        refused -> assertThat(refused.detail().getCode()).isEqualTo(ErrorCode.ERROR_CODE_NOT_LEADER));
    }

    @Test
    void aReportIsAcknowledgedOnceCommittedAndOneOfAnEarlierEpochEndsTheStream() {
        Heard link = register("n1", "a");
        long epoch = server.node("n1").getStatus().getEpoch();
        hub.report(
                link,
                StatusReport.newBuilder().setNodeEpoch(epoch).setSequence(1).build());
        server.settle();
        assertThat(link.messages.get(link.messages.size() - 1).getReportAck().getSequence())
                .isEqualTo(1);
        hub.report(
                link,
                StatusReport.newBuilder().setNodeEpoch(epoch - 1).setSequence(2).build());
        server.settle();
        assertThat(link.refusals)
                .singleElement()
                .satisfies(
                        refused -> assertThat(refused.detail().getCode()).isEqualTo(ErrorCode.ERROR_CODE_STALE_EPOCH));
    }

    @Test
    void aGangLinesUpInTheOrderOfItsTasksAndItsNodesAreToldOnce() {
        Heard first = register("n1", "a");
        Heard second = register("n2", "b");
        server.submit(LoneServer.job("gang", 6, 1_000));
        server.advance(1_000);
        List<DesiredState> told = List.of(first.placed(), second.placed());
        assertThat(told).allSatisfy(desired -> {
            assertThat(desired.getGangsList()).hasSize(1);
            assertThat(desired.getGangs(0).getTasks()).isEqualTo(6);
            assertThat(desired.getGangs(0).getNodesList())
                    .extracting(GangNode::getSlots)
                    .containsExactlyInAnyOrder(4, 2);
        });
        assertThat(told.get(0).getGangs(0)).isEqualTo(told.get(1).getGangs(0));
        assertThat(told)
                .flatExtracting(DesiredState::getTasksList)
                .allSatisfy(task -> assertThat(task.getRank().getGlobal())
                        .isEqualTo(task.getAllocation().getTask().getIndex()))
                .hasSize(6);
        for (DesiredState desired : told) {
            assertThat(desired.getTasksList())
                    .extracting(task -> task.getRank().getLocal())
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, desired.getTasksCount()).boxed().toList());
            String node = desired.getTasks(0).getAllocation().getNode();
            assertThat(desired.getTasksList())
                    .allSatisfy(task -> assertThat(desired.getGangs(0)
                                    .getNodes(task.getRank().getNode())
                                    .getName())
                            .isEqualTo(node));
        }
    }

    @Test
    void whatHasStartedIsNotToldOfItsGangAgain() {
        Heard link = register("n1", "a");
        server.submit(LoneServer.job("gang", 2, 1_000));
        server.advance(1_000);
        StatusReport.Builder report = StatusReport.newBuilder()
                .setSequence(1)
                .setNodeEpoch(server.node("n1").getStatus().getEpoch());
        link.placed()
                .getTasksList()
                .forEach(task -> report.addTasks(TaskReport.newBuilder()
                        .setAllocationId(task.getAllocation().getId())
                        .setEpoch(task.getAllocation().getEpoch())
                        .setTask(task.getAllocation().getTask())
                        .setState(TaskState.TASK_STATE_RUNNING)));
        hub.report(link, report.build());
        server.settle();
        assertThat(link.placed().getTasksList()).hasSize(2).noneMatch(DesiredTask::hasRank);
        assertThat(link.placed().getGangsList()).isEmpty();
    }
}
