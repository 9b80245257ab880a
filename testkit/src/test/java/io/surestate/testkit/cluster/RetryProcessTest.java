package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.ExitCodes;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose real tasks fail, beside others that do not. */
class RetryProcessTest {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final int ORDINARY = 6;

    @TempDir
    private Path folder;

    /** Each takes the whole node. */
    private static Job job(String name, String... command) {
        Job.Builder job = Api.shellJob(name, 1, "true").toBuilder();
        job.getSpecBuilder()
                .getGroupsBuilder(0)
                .clearCommand()
                .addAllCommand(List.of(command))
                .getResourcesBuilder()
                .setCpuMillicores(1_000);
        return job.build();
    }

    private static JobStatus status(Api api, String name) {
        return api.job(name).getJob().getStatus();
    }

    @Test
    void aJobThatCanNeverStartBacksOffWithItsReasonAndStarvesNobody() {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgent("n1", "0", "1Gi");
            await().atMost(SOON).ignoreExceptions().until(() -> api.readyNodes() == 1);
            Job.Builder never = job("never", "no-such-program").toBuilder();
            never.getSpecBuilder().setPriority(100).getRetryBuilder().setMaxAttempts(1_000);
            api.submit(never.build());
            await().atMost(SOON).until(() -> status(api, "never").getFailures() >= 2);
            IntStream.range(0, ORDINARY).forEach(i -> api.submit(job("ordinary-" + i, "sleep", "0.2")));
            await().atMost(SOON)
                    .until(() -> IntStream.range(0, ORDINARY)
                            .allMatch(i -> status(api, "ordinary-" + i).getPhase() == JobPhase.JOB_PHASE_SUCCEEDED));

            await().atMost(SOON).until(() -> status(api, "never").getNotBeforeMillis() > 0);
            assertThat(status(api, "never").getReason())
                    .isEqualTo("task worker/0 failed: exit code 127: command not found: no-such-program");
            assertThat(status(api, "never").getPhase()).isIn(JobPhase.JOB_PHASE_PENDING, JobPhase.JOB_PHASE_RUNNING);
        }
    }

    @Test
    void exitCodesAndSignalsDecideWhetherAJobIsTriedAgain() {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgent("n1", "0", "1Gi");
            await().atMost(SOON).ignoreExceptions().until(() -> api.readyNodes() == 1);
            Job.Builder bad = job("bad-data", "sh", "-c", "exit 65").toBuilder();
            bad.getSpecBuilder()
                    .getRetryBuilder()
                    .setMaxAttempts(50)
                    .setExitCodes(ExitCodes.newBuilder().addFailJob(65));
            api.submit(bad.build());
            await().atMost(SOON).until(() -> status(api, "bad-data").getPhase() == JobPhase.JOB_PHASE_FAILED);
            assertThat(status(api, "bad-data").getFailures()).isOne();

            Job.Builder shot =
                    job("shot", "sh", "-c", "[ $SURESTATE_ATTEMPT -gt 3 ] || kill -TERM $$; exit 0").toBuilder();
            shot.getSpecBuilder()
                    .getRetryBuilder()
                    .setMaxAttempts(1)
                    .setExitCodes(ExitCodes.newBuilder().addIgnore(128 + 15));
            api.submit(shot.build());
            await().atMost(SOON).until(() -> status(api, "shot").getPhase() == JobPhase.JOB_PHASE_SUCCEEDED);
            assertThat(status(api, "shot").getIgnoredFailures()).isEqualTo(3);
            assertThat(status(api, "shot").getFailures()).isZero();
        }
    }
}
