package io.surestate.statemachine.node;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import io.surestate.statemachine.job.LeaseEnds;
import org.junit.jupiter.api.Test;

class NodeLossTest {
    /** Two tasks per node: each takes two whole cores of four. */
    private static JobSpec.Builder wide() {
        return Commands.checkpointed(4).toBuilder()
                .setGroups(0, Commands.gang(4, 2_000, 100).build().getGroups(0));
    }

    @Test
    void aTaskThatStopsAtLeaseEndIsLostAndItsGangStartsAgainElsewhere() {
        try (TestCluster cluster = TestCluster.with("n1", "n2", "n3")) {
            Job job = cluster.start("train", wide().build());
            String uid = job.getUid();
            cluster.reportAll(uid, TaskState.TASK_STATE_RUNNING, r -> r.setCheckpointStep(12));
            cluster.loseNode("n1");
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
            assertThat(cluster.job(uid).getStatus().getNodeLosses()).isEqualTo(1);
            assertThat(cluster.tasks(uid))
                    .extracting(Task::getState)
                    .containsExactly(
                            TaskState.TASK_STATE_LOST,
                            TaskState.TASK_STATE_LOST,
                            TaskState.TASK_STATE_STOPPING,
                            TaskState.TASK_STATE_STOPPING);
            cluster.report(cluster.task(uid, 2), TaskState.TASK_STATE_CANCELLED);
            cluster.report(cluster.task(uid, 3), TaskState.TASK_STATE_CANCELLED);
            assertThat(cluster.job(uid).getStatus().getNotBeforeMillis()).isZero();
            assertThat(cluster.job(uid).getStatus().getCheckpoint().getStep()).isEqualTo(12);
            cluster.place(uid);
            assertThat(cluster.tasks(uid)).extracting(Task::getNode).containsExactly("n2", "n2", "n3", "n3");
            assertThat(cluster.events(uid))
                    .filteredOn(e -> e.getKind() == JobEventKind.JOB_EVENT_KIND_NODE_LOST)
                    .singleElement()
                    .matches(e -> e.getNode().equals("n1"));
        }
    }

    @Test
    void aTaskThatIsKeptStaysCountedUntilItsAgentIsBack() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start(
                    "train",
                    wide().setOnLeaseEnd(LeaseEnd.LEASE_END_KEEP).build().toBuilder()
                            .setGroups(0, Commands.gang(1).getGroups(0))
                            .build());
            String uid = job.getUid();
            cluster.loseNode("n1");
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(cluster.state().counts().allocations()).isEqualTo(1);
            TaskReport done = cluster.reportOf(cluster.task(uid, 0))
                    .setState(TaskState.TASK_STATE_SUCCEEDED)
                    .build();
            cluster.run(Commands.register(Commands.hello("n1").addInventory(done)));
            assertThat(cluster.finished(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_SUCCEEDED);
        }
    }

    @Test
    void leaseEndDefaultsToStopOnlyWithACheckpointPolicy() {
        assertThat(LeaseEnds.effective(Commands.checkpointed(1))).isEqualTo(LeaseEnd.LEASE_END_STOP);
        assertThat(LeaseEnds.effective(Commands.gang(1))).isEqualTo(LeaseEnd.LEASE_END_KEEP);
    }

    @Test
    void aNodeIsNotGivenUpBeforeLeaseAndMarginArePast() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            long epoch = cluster.epoch("n1");
            assertRefused(cluster.run(Commands.lose("n1", epoch)), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            cluster.run(Commands.suspect("n1", epoch));
            cluster.advance(21_999);
            assertRefused(cluster.run(Commands.lose("n1", epoch)), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            cluster.advance(1);
            assertThat(cluster.run(Commands.lose("n1", epoch)).hasAccepted()).isTrue();
            assertThat(cluster.run(Commands.lose("n1", epoch)).hasAccepted()).isTrue();
            assertRefused(cluster.run(Commands.clear("n1", epoch)), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            assertRefused(cluster.run(Commands.suspect("n1", epoch)), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
        }
    }

    @Test
    void aSecondSuspicionDoesNotMoveTheDeadlineAndAClearanceLiftsIt() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            long epoch = cluster.epoch("n1");
            cluster.run(Commands.suspect("n1", epoch));
            long since = cluster.timeMillis();
            cluster.advance(5_000);
            cluster.run(Commands.suspect("n1", epoch));
            assertThat(cluster.state()
                            .node("n1")
                            .orElseThrow()
                            .node()
                            .getStatus()
                            .getSuspectedMillis())
                    .isEqualTo(since);
            cluster.run(Commands.clear("n1", epoch));
            assertThat(cluster.state()
                            .node("n1")
                            .orElseThrow()
                            .node()
                            .getStatus()
                            .getState())
                    .isEqualTo(NodeState.NODE_STATE_READY);
        }
    }

    @Test
    void dutiesOfAnOldEpochAreRefused() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            long old = cluster.epoch("n1");
            cluster.run(Commands.register("n1"));
            assertRefused(cluster.run(Commands.suspect("n1", old)), ErrorCode.ERROR_CODE_STALE_EPOCH);
            assertRefused(cluster.run(Commands.clear("n1", old)), ErrorCode.ERROR_CODE_STALE_EPOCH);
            assertRefused(cluster.run(Commands.lose("n1", old)), ErrorCode.ERROR_CODE_STALE_EPOCH);
        }
    }
}
