package io.surestate.statemachine.node;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NodeState;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.FenceNode;
import io.surestate.log.v1.PlanNode;
import io.surestate.log.v1.RemoveNode;
import io.surestate.log.v1.SuspectNode;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import io.surestate.statemachine.state.NodeEntry;
import org.junit.jupiter.api.Test;

class PlannedNodesTest {
    private static final NodeSpec SPEC =
            NodeSpec.newBuilder().setMemoryBytes(1_000).build();

    private static Envelope plan(String name, NodeSpec spec) {
        return Envelope.newBuilder()
                .setPlanNode(PlanNode.newBuilder().setNode(name).setSpec(spec))
                .build();
    }

    private static Envelope remove(String name) {
        return Envelope.newBuilder()
                .setRemoveNode(RemoveNode.newBuilder().setNode(name))
                .build();
    }

    @Test
    void aPlannedNodeIsKeptAndGivenNoWork() {
        try (TestCluster cluster = TestCluster.with()) {
            Node node = cluster.run(plan("p1", SPEC)).getNode();

            assertThat(node.getStatus().getState()).isEqualTo(NodeState.NODE_STATE_PLANNED);
            NodeEntry kept = cluster.state().node("p1").orElseThrow();
            assertThat(kept.node()).isEqualTo(node);
            assertThat(kept.schedulable()).isFalse();
            assertThat(kept.registered()).isFalse();
        }
    }

    @Test
    void describingItAgainReplacesItOnlyIfItDiffers() {
        try (TestCluster cluster = TestCluster.with()) {
            Node first = cluster.run(plan("p1", SPEC)).getNode();
            assertThat(cluster.run(plan("p1", SPEC)).getNode()).isEqualTo(first);

            cluster.run(plan("p1", SPEC.toBuilder().setMemoryBytes(2_000).build()));

            Node now = cluster.state().node("p1").orElseThrow().node();
            assertThat(now.getSpec().getMemoryBytes()).isEqualTo(2_000);
            assertThat(cluster.state().counts().nodes()).isEqualTo(1);
        }
    }

    @Test
    void anAgentOfThatNameTakesItOver() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.run(plan("n1", SPEC));
            assertThat(cluster.run(Commands.register("n1")).hasNode()).isTrue();

            NodeEntry entry = cluster.state().node("n1").orElseThrow();
            assertThat(entry.schedulable()).isTrue();
            assertThat(entry.node().getSpec()).isNotEqualTo(SPEC);
            assertThat(cluster.state().nodeWithId(entry.node().getId())).isPresent();
            assertRefused(cluster.run(plan("n1", SPEC)), ErrorCode.ERROR_CODE_ALREADY_EXISTS);
            assertRefused(cluster.run(remove("n1")), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
        }
    }

    @Test
    void aPlannedNodeIsForgottenOnRequest() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.run(plan("p1", SPEC));
            cluster.run(plan("p2", SPEC));

            assertThat(cluster.run(remove("p1")).getNode().getName()).isEqualTo("p1");

            assertThat(cluster.state().node("p1")).isEmpty();
            assertThat(cluster.state().node("p2")).isPresent();
            assertRefused(cluster.run(remove("p1")), ErrorCode.ERROR_CODE_NOT_FOUND);
        }
    }

    @Test
    void noDutyTouchesAPlannedNode() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.run(plan("p1", SPEC));

            assertRefused(
                    cluster.run(Envelope.newBuilder()
                            .setSuspectNode(SuspectNode.newBuilder().setNode("p1"))
                            .build()),
                    ErrorCode.ERROR_CODE_NOT_FOUND);
            assertRefused(
                    cluster.run(Envelope.newBuilder()
                            .setFenceNode(FenceNode.newBuilder().setNode("p1"))
                            .build()),
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE);
        }
    }

    @Test
    void whatCannotBeCountedIsRefused() {
        try (TestCluster cluster = TestCluster.with()) {
            assertRefused(
                    cluster.run(
                            plan("p1", NodeSpec.newBuilder().setMemoryBytes(-1).build())),
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            assertRefused(cluster.run(plan("", SPEC)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            assertThat(cluster.state().counts().nodes()).isZero();
        }
    }
}
