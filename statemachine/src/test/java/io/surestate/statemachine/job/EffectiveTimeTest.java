package io.surestate.statemachine.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.EffectiveTime;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Placer;
import io.surestate.statemachine.fixture.TestCluster;
import org.junit.jupiter.api.Test;

class EffectiveTimeTest {
    private static EffectiveTime of(TestCluster cluster, Job job) {
        JobStatus status = cluster.state()
                .job(job.getUid())
                .map(entry -> entry.job().getStatus())
                .orElseGet(() -> cluster.finished(job.getUid()).getStatus());
        return EffectiveTime.of(status, cluster.timeMillis());
    }

    private static void report(TestCluster cluster, Job job, TaskState state, long step) {
        cluster.reportAll(job.getUid(), state, report -> report.setCheckpointStep(step));
    }

    @Test
    void whatIsDoneAfterTheLastCheckpointOfAFailedRunIsLostAndSoIsTheTimeBetweenRuns() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.submit("train", Commands.checkpointed(2));
            cluster.advance(60_000);
            assertThat(of(cluster, job)).isEqualTo(new EffectiveTime(0, 0));
            cluster.place(job.getUid());
            cluster.advance(7_000);
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING);
            cluster.advance(40_000);
            report(cluster, job, TaskState.TASK_STATE_RUNNING, 10);
            assertThat(of(cluster, job)).isEqualTo(new EffectiveTime(40_000, 40_000));
            cluster.advance(5_000);
            assertThat(of(cluster, job)).isEqualTo(new EffectiveTime(45_000, 45_000));
            report(cluster, job, TaskState.TASK_STATE_FAILED, 10);
            assertThat(of(cluster, job)).isEqualTo(new EffectiveTime(40_000, 45_000));
            cluster.advance(10_000);
            cluster.place(job.getUid());
            cluster.advance(1_000);
            assertThat(of(cluster, job)).isEqualTo(new EffectiveTime(40_000, 56_000));
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING);
            cluster.advance(44_000);
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_SUCCEEDED);
            cluster.advance(99_000);
            assertThat(of(cluster, job)).isEqualTo(new EffectiveTime(84_000, 100_000));
            assertThat(of(cluster, job).milli()).isEqualTo(840);
        }
    }

    @Test
    void aCheckpointOfAnEarlierRunSavesNothingOfALaterOne() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.checkpointed(1));
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING);
            cluster.advance(20_000);
            report(cluster, job, TaskState.TASK_STATE_FAILED, 3);
            assertThat(of(cluster, job)).isEqualTo(new EffectiveTime(20_000, 20_000));
            cluster.advance(10_000);
            cluster.place(job.getUid());
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING);
            cluster.advance(30_000);
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_FAILED);
            assertThat(of(cluster, job)).isEqualTo(new EffectiveTime(20_000, 60_000));
        }
    }

    @Test
    void tasksThatJoinARunningGangDoNotBeginAnotherRun() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.submit("train", Commands.elastic(1, 2));
            var gang = Placer.place(cluster.state(), job.getUid());
            cluster.run(Commands.plan(gang.toBuilder().removePlacements(1).build()));
            cluster.report(cluster.task(job.getUid(), 0), TaskState.TASK_STATE_RUNNING);
            cluster.advance(30_000);
            cluster.place(job.getUid());
            cluster.report(cluster.task(job.getUid(), 1), TaskState.TASK_STATE_RUNNING);
            cluster.advance(30_000);
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_SUCCEEDED);
            assertThat(of(cluster, job)).isEqualTo(new EffectiveTime(60_000, 60_000));
        }
    }
}
