package io.surestate.statemachine.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Placer;
import io.surestate.statemachine.fixture.TestCluster;
import org.junit.jupiter.api.Test;

class GangTest {
    @Test
    void aGangThatRunsThroughSucceeds() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = cluster.start("train", Commands.gang(4));
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_STARTING, r -> r.setPid(11));
            assertThat(cluster.job(job.getUid()).getStatus().getStartedMillis()).isZero();
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING);
            assertThat(cluster.task(job.getUid(), 0).getPid()).isEqualTo(11);
            assertThat(cluster.job(job.getUid()).getStatus().getStartedMillis()).isEqualTo(cluster.timeMillis());
            for (int i = 0; i < 4; i++) {
                cluster.report(cluster.task(job.getUid(), i), TaskState.TASK_STATE_SUCCEEDED);
            }
            assertThat(cluster.finished(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_SUCCEEDED);
            assertThat(cluster.state().counts().allocations()).isZero();
            assertThat(cluster.events(job.getUid()))
                    .extracting(JobEvent::getKind)
                    .containsExactly(
                            JobEventKind.JOB_EVENT_KIND_SUBMITTED,
                            JobEventKind.JOB_EVENT_KIND_ALLOCATED,
                            JobEventKind.JOB_EVENT_KIND_STARTED,
                            JobEventKind.JOB_EVENT_KIND_SUCCEEDED);
        }
    }

    @Test
    void aGangsCheckpointIsTheStepThatEveryMemberHas() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.checkpointed(2));
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING);
            cluster.report(cluster.task(job.getUid(), 0), TaskState.TASK_STATE_RUNNING, r -> r.setCheckpointStep(30));
            assertThat(cluster.job(job.getUid()).getStatus().hasCheckpoint()).isFalse();
            cluster.report(cluster.task(job.getUid(), 1), TaskState.TASK_STATE_RUNNING, r -> r.setCheckpointStep(20));
            assertThat(cluster.job(job.getUid()).getStatus().getCheckpoint().getStep())
                    .isEqualTo(20);
            cluster.report(cluster.task(job.getUid(), 1), TaskState.TASK_STATE_RUNNING, r -> r.setCheckpointStep(10));
            assertThat(cluster.job(job.getUid()).getStatus().getCheckpoint().getStep())
                    .isEqualTo(20);
        }
    }

    @Test
    void aFailedTaskRestartsTheGangFromItsCheckpoint() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.checkpointed(2));
            String uid = job.getUid();
            cluster.reportAll(uid, TaskState.TASK_STATE_RUNNING, r -> r.setCheckpointStep(40));
            cluster.report(cluster.task(uid, 0), TaskState.TASK_STATE_FAILED, r -> r.setExitCode(3));
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
            assertThat(cluster.job(uid).getStatus().getFailures()).isEqualTo(1);
            assertThat(cluster.task(uid, 1).getState()).isEqualTo(TaskState.TASK_STATE_STOPPING);

            cluster.advance(500);
            cluster.report(cluster.task(uid, 1), TaskState.TASK_STATE_CANCELLED, r -> r.setCheckpointStep(41));
            Job next = cluster.job(uid);
            assertThat(next.getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            assertThat(next.getStatus().getAttempt()).isEqualTo(2);
            assertThat(next.getStatus().getCheckpoint().getStep()).isEqualTo(40);
            assertThat(next.getStatus().getNotBeforeMillis())
                    .isBetween(cluster.timeMillis() + 1_500, cluster.timeMillis() + 2_000);
            assertThat(cluster.tasks(uid))
                    .allMatch(t -> t.getAttempt() == 2
                            && t.getState() == TaskState.TASK_STATE_PENDING
                            && t.getCheckpointStep() == 0
                            && t.getNode().isEmpty());
            assertThat(cluster.engine().view().history().tasks(uid, TaskRef.getDefaultInstance(), 10))
                    .extracting(Task::getState)
                    .containsExactly(TaskState.TASK_STATE_FAILED, TaskState.TASK_STATE_CANCELLED);
            assertThat(cluster.events(uid))
                    .filteredOn(e -> e.getKind() == JobEventKind.JOB_EVENT_KIND_RESTARTING)
                    .extracting(JobEvent::getMessage)
                    .containsExactly("resumes from checkpoint step 40");
            assertThat(cluster.events(uid))
                    .filteredOn(e -> e.getKind() == JobEventKind.JOB_EVENT_KIND_TASK_FAILED)
                    .singleElement()
                    .matches(e -> e.getTask().equals("worker/0")
                            && e.getNode().equals("n1")
                            && e.getMessage().equals("exit code 3"));
        }
    }

    @Test
    void theNextAttemptWaitsForItsBackoff() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(1));
            cluster.report(cluster.task(job.getUid(), 0), TaskState.TASK_STATE_FAILED);
            assertThat(cluster.run(Commands.plan(Placer.place(cluster.state(), job.getUid())))
                            .getPlan()
                            .getConflictsList())
                    .singleElement()
                    .matches(c -> c.getWhat().equals("cluster time"));
            cluster.advance(2_000);
            cluster.place(job.getUid());
            assertThat(cluster.job(job.getUid()).getStatus().getNotBeforeMillis())
                    .isZero();
        }
    }

    @Test
    void theLastFailureOfTheBudgetEndsTheJob() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            JobSpec spec = Commands.gang(2).toBuilder()
                    .setRetry(RetryPolicy.newBuilder().setMaxAttempts(1))
                    .build();
            Job job = cluster.start("train", spec);
            cluster.report(cluster.task(job.getUid(), 1), TaskState.TASK_STATE_FAILED, r -> r.setSignal(9));
            assertThat(cluster.job(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_FAILING);
            cluster.report(cluster.task(job.getUid(), 0), TaskState.TASK_STATE_SUCCEEDED);
            Job over = cluster.finished(job.getUid());
            assertThat(over.getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_FAILED);
            assertThat(over.getStatus().getReason()).contains("worker/1 failed: signal 9");
        }
    }

    @Test
    void severalFailuresOfOneAttemptCountOnce() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.gang(3));
            for (int i = 0; i < 3; i++) {
                cluster.report(cluster.task(job.getUid(), i), TaskState.TASK_STATE_FAILED);
            }
            assertThat(cluster.job(job.getUid()).getStatus().getFailures()).isEqualTo(1);
            assertThat(cluster.job(job.getUid()).getStatus().getAttempt()).isEqualTo(2);
        }
    }
}
