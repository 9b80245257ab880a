package io.surestate.statemachine.node;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.log.v1.CancelJob;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.FenceNode;
import io.surestate.log.v1.FreezeCluster;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.UnfreezeCluster;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class FencingTest {
    private static Envelope fence(String node) {
        return Envelope.newBuilder()
                .setFenceNode(FenceNode.newBuilder().setNode(node))
                .build();
    }

    private static Envelope force(String job) {
        return Envelope.newBuilder()
                .setCancelJob(CancelJob.newBuilder()
                        .setTenant(Commands.TENANT)
                        .setJob(job)
                        .setForce(true))
                .build();
    }

    private static List<Allocation> places(TestCluster cluster) {
        return List.copyOf(cluster.state().node("n1").orElseThrow().allocations());
    }

    private static NodeStatus status(TestCluster cluster) {
        return cluster.state().node("n1").orElseThrow().node().getStatus();
    }

    @Test
    void aJobRemovedByForceIsOverAndItsPlacesGoOnCounting() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(2));
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING);
            TaskReport.Builder late = cluster.reportOf(cluster.task(job.getUid(), 0));
            cluster.run(force("train"));
            assertThat(cluster.finished(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_CANCELLED);
            assertThat(places(cluster))
                    .hasSize(2)
                    .allMatch(place -> place.getState() == AllocationState.ALLOCATION_STATE_RELEASING);
            assertThat(cluster.submit("train", Commands.gang(2)).getUid()).isNotEqualTo(job.getUid());
            cluster.report("n1", late.setState(TaskState.TASK_STATE_RUNNING).build());
            assertThat(places(cluster)).hasSize(2);
            cluster.report("n1", late.setState(TaskState.TASK_STATE_CANCELLED).build());
            assertThat(places(cluster)).hasSize(1);
        }
    }

    @Test
    void aJobThatIsBeingCancelledCanStillBeRemovedByForce() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(1));
            cluster.run(Commands.cancel("train"));
            assertThat(places(cluster).get(0).getState()).isEqualTo(AllocationState.ALLOCATION_STATE_RELEASING);
            cluster.run(force("train"));
            assertThat(cluster.state().job(job.getUid())).isEmpty();
            assertThat(places(cluster)).hasSize(1);
        }
    }

    @Test
    void onlyALostNodesStopTasksAreFreedByTime() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            cluster.start("stops", Commands.checkpointed(1));
            cluster.start("keeps", Commands.gang(1));
            cluster.run(force("stops"));
            cluster.run(force("keeps"));
            cluster.loseNode("n1");
            assertThat(places(cluster)).hasSize(1);
            cluster.run(fence("n1"));
            assertThat(places(cluster)).isEmpty();
        }
    }

    @Test
    void fencingFreesEverythingOnANodeThatDoesNotAnswer() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("keeps", Commands.gang(1));
            TaskReport.Builder late = cluster.reportOf(cluster.task(job.getUid(), 0));
            cluster.run(Plans.commit(Plans.named("mine", Plans.on(cluster, "n1", Plans.core(3, 1_000)))));
            assertRefused(cluster.run(fence("n1")), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            long epoch = cluster.epoch("n1");
            cluster.run(Commands.suspect("n1", epoch));
            Envelope.Builder delayed = fence("n1").toBuilder();
            delayed.getFenceNodeBuilder().setExpectedEpoch(epoch - 1);
            assertRefused(cluster.run(delayed.build()), ErrorCode.ERROR_CODE_STALE_EPOCH);
            delayed.getFenceNodeBuilder().setExpectedEpoch(epoch);
            cluster.run(delayed.build());
            assertThat(places(cluster)).isEmpty();
            assertThat(status(cluster).getState()).isEqualTo(NodeState.NODE_STATE_LOST);
            assertThat(status(cluster).getFencedMillis()).isEqualTo(cluster.timeMillis());
            assertThat(cluster.job(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            Outcome stale = cluster.run(Commands.report(
                    "n1",
                    epoch,
                    9,
                    List.of(late.setState(TaskState.TASK_STATE_SUCCEEDED).build())));
            assertRefused(stale, ErrorCode.ERROR_CODE_STALE_EPOCH);
            assertRefused(cluster.run(fence("n9")), ErrorCode.ERROR_CODE_NOT_FOUND);
            cluster.run(Commands.register("n1"));
            assertThat(status(cluster).getFencedMillis()).isZero();
        }
    }

    @Test
    void reportsAboutWhatTheLedgerDoesNotHaveAreToldStale() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(1));
            TaskReport.Builder report =
                    cluster.reportOf(cluster.task(job.getUid(), 0)).setState(TaskState.TASK_STATE_FAILED);
            Outcome outcome = cluster.report("n1", report.setEpoch(1).build());
            assertThat(outcome.getReported().getStaleAllocationsList()).containsExactly(report.getAllocationId());
            assertThat(places(cluster)).hasSize(1);
        }
    }

    @Test
    void aFreezeStretchesTheTimeAfterWhichANodeIsGivenUp() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            cluster.start("stops", Commands.checkpointed(1));
            cluster.run(Envelope.newBuilder()
                    .setFreezeCluster(FreezeCluster.newBuilder().setForMillis(100_000))
                    .build());
            assertThat(Leases.grantMillis(cluster.state().meta(), cluster.timeMillis() + 40_000))
                    .isEqualTo(20_000 + 60_000);
            cluster.run(Commands.suspect("n1", cluster.epoch("n1")));
            cluster.advance(100_000 + 22_000);
            assertRefused(cluster.run(Commands.lose("n1", cluster.epoch("n1"))), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            cluster.advance(2_000);
            assertThat(cluster.run(Commands.lose("n1", cluster.epoch("n1"))).hasAccepted())
                    .isTrue();
        }
    }

    @Test
    void whatWasGrantedInAFreezeIsNotTakenBackByItsEarlyEnd() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            cluster.run(Envelope.newBuilder()
                    .setFreezeCluster(FreezeCluster.newBuilder().setForMillis(100_000))
                    .build());
            cluster.run(Envelope.newBuilder()
                    .setUnfreezeCluster(UnfreezeCluster.getDefaultInstance())
                    .build());
            assertThat(Leases.grantMillis(cluster.state().meta(), cluster.timeMillis()))
                    .isEqualTo(20_000);
            cluster.run(Commands.suspect("n1", cluster.epoch("n1")));
            cluster.advance(22_000);
            assertRefused(cluster.run(Commands.lose("n1", cluster.epoch("n1"))), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
        }
    }

    @Test
    void aFreezeHasALength() {
        try (TestCluster cluster = TestCluster.with()) {
            for (long length : new long[] {0, 999, Long.MAX_VALUE}) {
                assertRefused(
                        cluster.run(Envelope.newBuilder()
                                .setFreezeCluster(FreezeCluster.newBuilder().setForMillis(length))
                                .build()),
                        ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            }
        }
    }
}
