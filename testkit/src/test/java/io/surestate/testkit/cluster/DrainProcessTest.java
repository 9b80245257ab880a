package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.CheckpointSignal;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drains of nodes on which real tasks run. */
class DrainProcessTest {
    private static final Duration SOON = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    /** Says from which step it goes on and publishes one more when it is asked; runs until the stop file is there. */
    private Job asked() {
        String command = "i=${SURESTATE_CHECKPOINT##*/}; i=${i:-0}; echo $i >> " + folder.resolve("starts")
                + "; trap 'i=$((i+7)); : > $SURESTATE_CHECKPOINT_DIR/$i' USR1; while [ ! -e " + folder.resolve("stop")
                + " ]; do sleep 0.1; done";
        Job.Builder job = Api.checkpointedJob("train", 1, command, "UNUSED", "").toBuilder();
        job.getSpecBuilder().getRetryBuilder().setMaxAttempts(1);
        job.getSpecBuilder().getGroupsBuilder(0).getResourcesBuilder().setCpuMillicores(1_000);
        job.getSpecBuilder()
                .getCheckpointBuilder()
                .setIntervalMillis(3_600_000)
                .setSignal(CheckpointSignal.CHECKPOINT_SIGNAL_SIGUSR1)
                .setGraceMillis(60_000);
        return job.build();
    }

    private List<String> starts() throws IOException {
        Path starts = folder.resolve("starts");
        return Files.exists(starts) ? Files.readAllLines(starts) : List.of();
    }

    private void finish(Api api) throws IOException {
        Files.createFile(folder.resolve("stop"));
        await().atMost(SOON).until(() -> status(api).getPhase() == JobPhase.JOB_PHASE_SUCCEEDED);
    }

    private static JobStatus status(Api api) {
        return api.job("train").getJob().getStatus();
    }

    @Test
    void aGangIsAskedForACheckpointAndGoesOnFromItOnAnotherNode() throws IOException {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgent("n1", "0", "1Gi");
            await().atMost(SOON).ignoreExceptions().until(() -> api.readyNodes() == 1);
            api.submit(asked());
            await().atMost(SOON).until(() -> starts().size() == 1);
            cluster.startAgent("n2", "1", "1Gi");
            await().atMost(SOON).until(() -> api.readyNodes() == 2);

            api.drain("n1", 0);
            await().atMost(SOON).until(() -> starts().size() == 2);
            assertThat(starts()).containsExactly("0", "7");
            assertThat(api.node("n1").getUsage().getAllocations()).isZero();
            assertThat(api.node("n1").getDrainWaitsList()).isEmpty();
            finish(api);
            assertThat(status(api).getMoves()).isOne();
            assertThat(status(api).getFailures()).isZero();
        }
    }

    @Test
    void theOnlyFittingNodeIsDrainedAndTheJobWaitsAndRunsAgainAfterwards() throws IOException {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgent("n1", "0", "1Gi");
            await().atMost(SOON).ignoreExceptions().until(() -> api.readyNodes() == 1);
            api.submit(asked());
            await().atMost(SOON).until(() -> starts().size() == 1);

            api.drain("n1", 3_000);
            await().atMost(SOON).until(() -> status(api).getPhase() == JobPhase.JOB_PHASE_PENDING);
            await().atMost(SOON)
                    .until(() -> api.job("train").getPendingReason().contains("1 node cordoned (kernel upgrade)"));
            api.undrain("n1");
            await().atMost(SOON).until(() -> starts().size() == 2);
            assertThat(starts()).containsExactly("0", "7");
            finish(api);
        }
    }
}
