package io.surestate.statemachine.node;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.log.v1.Envelope;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import io.surestate.statemachine.state.NodeEntry;
import org.junit.jupiter.api.Test;

class RegisterNodeTest {
    @Test
    void aNewNodeIsReadyInTheEpochOfItsEntry() {
        try (TestCluster cluster = TestCluster.with()) {
            Node node = cluster.run(Commands.register("n1")).getNode();
            assertThat(node.getStatus().getState()).isEqualTo(NodeState.NODE_STATE_READY);
            assertThat(node.getStatus().getEpoch()).isEqualTo(2);
            NodeEntry entry = cluster.state().node("n1").orElseThrow();
            assertThat(entry.free()).isEqualTo(entry.capacity());
            assertThat(entry.free().cores().totalMilli()).isEqualTo(4_000);
        }
    }

    @Test
    void anotherClusterIsRefused() {
        try (TestCluster cluster = TestCluster.with()) {
            assertRefused(
                    cluster.run(Commands.register(Commands.hello("n1").setClusterId("c2"))),
                    ErrorCode.ERROR_CODE_WRONG_CLUSTER);
        }
    }

    @Test
    void aNameAndAnIdBelongToOneMachine() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            assertRefused(
                    cluster.run(Commands.register(Commands.hello("n1").setNodeId("other"))),
                    ErrorCode.ERROR_CODE_NODE_CONFLICT);
            assertRefused(
                    cluster.run(Commands.register(Commands.hello("n2").setNodeId("id-n1"))),
                    ErrorCode.ERROR_CODE_NODE_CONFLICT);
            cluster.loseNode("n1");
            Node taken = cluster.run(Commands.register(
                            Commands.hello("n1").setNodeId("other").setBootId("b2")))
                    .getNode();
            assertThat(taken.getId()).isEqualTo("other");
        }
    }

    @Test
    void anotherMachineDoesNotTakeTheNameOfOneThatMayStillRunTasks() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            cluster.start("train", Commands.gang(1));
            cluster.loseNode("n1");
            assertRefused(
                    cluster.run(Commands.register(
                            Commands.hello("n1").setNodeId("other").setBootId("b2"))),
                    ErrorCode.ERROR_CODE_NODE_CONFLICT);
            assertThat(cluster.state().counts().allocations()).isEqualTo(1);
        }
    }

    @Test
    void anotherBootProvesTheOldTasksDeadOnceTheLeaseIsOver() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(2));
            Envelope boot = Commands.register(Commands.hello("n1").setBootId("boot-2"));
            assertRefused(cluster.run(boot), ErrorCode.ERROR_CODE_NODE_CONFLICT);
            cluster.loseNode("n1");
            cluster.run(boot);
            Job next = cluster.job(job.getUid());
            assertThat(next.getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            assertThat(next.getStatus().getAttempt()).isEqualTo(2);
            assertThat(next.getStatus().getNodeLosses()).isEqualTo(1);
            assertThat(next.getStatus().getNotBeforeMillis()).isZero();
            assertThat(cluster.state().counts().allocations()).isZero();
        }
    }

    @Test
    void twoRegistrationsInOneEntryNeverShareAnEpoch() {
        try (TestCluster cluster = TestCluster.with()) {
            var outcomes = cluster.runAll(
                            Commands.register("n1"),
                            Commands.register(Commands.hello("n1").setIncarnation("i2")))
                    .outcomes();
            assertThat(outcomes.get(0).hasNode()).isTrue();
            assertRefused(outcomes.get(1), ErrorCode.ERROR_CODE_NODE_CONFLICT);
        }
    }

    @Test
    void anAgentThatStartsAgainWithinOneBootKeepsItsTasks() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(2));
            TaskReport known = cluster.reportOf(cluster.task(job.getUid(), 0))
                    .setState(TaskState.TASK_STATE_RUNNING)
                    .setPid(99)
                    .build();
            long before = cluster.epoch("n1");
            cluster.run(
                    Commands.register(Commands.hello("n1").setIncarnation("i2").addInventory(known)));
            assertThat(cluster.epoch("n1")).isGreaterThan(before);
            assertThat(cluster.task(job.getUid(), 0).getPid()).isEqualTo(99);
            assertThat(cluster.task(job.getUid(), 1).getState()).isEqualTo(TaskState.TASK_STATE_ALLOCATED);
            assertThat(cluster.state().counts().allocations()).isEqualTo(2);
        }
    }

    @Test
    void aNodeThatShrankHasNothingFreeAndNeverLessThanNothing() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(2, 1_000, 600).build());
            NodeSpec less = NodeSpec.newBuilder()
                    .addNuma(NumaNode.newBuilder().addCoreIds(0))
                    .setMemoryBytes(700)
                    .build();
            cluster.run(Commands.register(Commands.hello("n1").setSpec(less)));
            NodeEntry shrunk = cluster.state().node("n1").orElseThrow();
            assertThat(shrunk.free().memoryBytes()).isZero();
            assertThat(shrunk.free().cores().totalMilli()).isZero();
            assertThat(shrunk.occupied().memoryBytes()).isEqualTo(1_200);
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_SUCCEEDED);
            assertThat(cluster.state().node("n1").orElseThrow().free().memoryBytes())
                    .isEqualTo(700);
        }
    }

    @Test
    void aDescriptionThatCannotBeCountedIsRefused() {
        try (TestCluster cluster = TestCluster.with()) {
            NodeSpec twice = Commands.nodeSpec()
                    .addNuma(NumaNode.newBuilder().addCoreIds(0))
                    .build();
            assertRefused(
                    cluster.run(Commands.register(Commands.hello("n1").setSpec(twice))),
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            assertRefused(
                    cluster.run(Commands.register(
                            Commands.hello("n1").setSpec(Commands.nodeSpec().setMemoryBytes(-1)))),
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
        }
    }
}
