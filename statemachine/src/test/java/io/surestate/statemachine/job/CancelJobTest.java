package io.surestate.statemachine.job;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import org.junit.jupiter.api.Test;

class CancelJobTest {
    @Test
    void aPendingJobIsOverAtOnce() {
        try (TestCluster cluster = TestCluster.with()) {
            Job job = cluster.submit("train", Commands.gang(2));
            Outcome outcome = cluster.run(Commands.cancel("train"));
            assertThat(outcome.getJob().getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_CANCELLED);
            assertThat(cluster.state().jobs()).isEmpty();
            assertThat(cluster.finished(job.getUid())).isEqualTo(outcome.getJob());
            assertThat(cluster.engine().view().history().tasks(job.getUid(), TaskRef.getDefaultInstance(), 10))
                    .extracting(Task::getState)
                    .containsExactly(TaskState.TASK_STATE_CANCELLED, TaskState.TASK_STATE_CANCELLED);
            assertThat(cluster.state().meta().getFinishedJobs()).isEqualTo(1);
        }
    }

    @Test
    void aRunningJobEndsWithItsLastTask() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(2));
            Outcome outcome = cluster.run(Commands.cancel(job.getUid()));
            assertThat(outcome.getJob().getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_CANCELLING);
            assertThat(outcome.getJob().getGeneration()).isEqualTo(2);
            assertThat(cluster.tasks(job.getUid())).allMatch(t -> t.getState() == TaskState.TASK_STATE_STOPPING);
            cluster.report(cluster.task(job.getUid(), 0), TaskState.TASK_STATE_CANCELLED);
            assertThat(cluster.state().counts().allocations()).isEqualTo(1);
            cluster.report(cluster.task(job.getUid(), 1), TaskState.TASK_STATE_FAILED, r -> r.setSignal(15));
            assertThat(cluster.finished(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_CANCELLED);
            assertThat(cluster.finished(job.getUid()).getStatus().getFailures()).isZero();
            assertThat(cluster.state().counts().allocations()).isZero();
        }
    }

    @Test
    void aSecondCancelChangesNothing() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(1));
            Outcome first = cluster.run(Commands.cancel("train", 1));
            Outcome second = cluster.run(Commands.cancel("train", 1));
            assertThat(second).isEqualTo(first);
            assertThat(cluster.job(job.getUid()).getGeneration()).isEqualTo(2);
        }
    }

    @Test
    void anotherGenerationIsRefused() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.submit("train", Commands.gang(1));
            assertRefused(cluster.run(Commands.cancel("train", 2)), ErrorCode.ERROR_CODE_GENERATION_MISMATCH);
        }
    }

    @Test
    void whatIsNotLiveIsRefused() {
        try (TestCluster cluster = TestCluster.with()) {
            Job job = cluster.submit("train", Commands.gang(1));
            cluster.run(Commands.cancel("train"));
            assertRefused(cluster.run(Commands.cancel("train")), ErrorCode.ERROR_CODE_NOT_FOUND);
            assertRefused(cluster.run(Commands.cancel(job.getUid())), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            assertRefused(cluster.run(Commands.cancel("00000000000000ff-000000")), ErrorCode.ERROR_CODE_NOT_FOUND);
        }
    }
}
