package io.surestate.statemachine.node;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTasksTest {
    @Test
    void aReportHeardBeforeChangesNothing() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(1));
            TaskReport running = cluster.reportOf(cluster.task(job.getUid(), 0))
                    .setState(TaskState.TASK_STATE_RUNNING)
                    .build();
            TaskReport failed =
                    running.toBuilder().setState(TaskState.TASK_STATE_FAILED).build();
            long epoch = cluster.epoch("n1");
            cluster.run(Commands.report("n1", epoch, 5, List.of(running)));
            assertThat(cluster.run(Commands.report("n1", epoch, 5, List.of(failed)))
                            .hasAccepted())
                    .isTrue();
            assertThat(cluster.task(job.getUid(), 0).getState()).isEqualTo(TaskState.TASK_STATE_RUNNING);
        }
    }

    @Test
    void aReportOfAnotherEpochIsRefused() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            long old = cluster.epoch("n1");
            cluster.run(Commands.register("n1"));
            assertRefused(cluster.run(Commands.report("n1", old, 1, List.of())), ErrorCode.ERROR_CODE_STALE_EPOCH);
            assertRefused(cluster.run(Commands.report("n9", old, 1, List.of())), ErrorCode.ERROR_CODE_NOT_FOUND);
        }
    }

    @Test
    void whatTheLedgerDoesNotHaveIsIgnored() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(1));
            TaskReport.Builder good =
                    cluster.reportOf(cluster.task(job.getUid(), 0)).setState(TaskState.TASK_STATE_FAILED);
            TaskReport.Builder otherAttempt = good.clone();
            otherAttempt.getTaskBuilder().setAttempt(2);
            cluster.report(
                    "n1",
                    good.clone().setAllocationId("0000000000000001-000000").build(),
                    good.clone().setEpoch(1).build(),
                    otherAttempt.build());
            assertThat(cluster.task(job.getUid(), 0).getState()).isEqualTo(TaskState.TASK_STATE_ALLOCATED);
        }
    }

    @Test
    void aTaskNeverGoesBack() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(1));
            cluster.report(cluster.task(job.getUid(), 0), TaskState.TASK_STATE_RUNNING);
            cluster.report(cluster.task(job.getUid(), 0), TaskState.TASK_STATE_STARTING);
            assertThat(cluster.task(job.getUid(), 0).getState()).isEqualTo(TaskState.TASK_STATE_RUNNING);
        }
    }

    @Test
    void aFinalStateFreesThePlace() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(2));
            cluster.report(cluster.task(job.getUid(), 0), TaskState.TASK_STATE_SUCCEEDED);
            assertThat(cluster.state().node("n1").orElseThrow().occupied().memoryBytes())
                    .isEqualTo(100);
        }
    }
}
