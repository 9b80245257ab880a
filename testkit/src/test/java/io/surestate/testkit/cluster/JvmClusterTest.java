package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.ErrorCategory;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.SubmitJobResponse;
import io.surestate.client.SurestateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JvmClusterTest {
    @TempDir
    private Path folder;

    /** Digests of all servers at the newest revision that all of them have. */
    private static Set<String> digests(ClusterLayout layout) {
        long common = IntStream.range(0, layout.size())
                .mapToLong(server -> digestOf(layout, server, 0).getDigest().getRevision())
                .min()
                .orElseThrow();
        return IntStream.range(0, layout.size())
                .mapToObj(server -> digestOf(layout, server, common).getDigest().getDigest())
                .collect(Collectors.toSet());
    }

    private static io.surestate.api.v1.GetDigestResponse digestOf(ClusterLayout layout, int server, long revision) {
        try (Api one = new Api(java.util.List.of(layout.endpoint(server)))) {
            return one.digest(revision);
        }
    }

    /** First index of the oldest log file that a server still has. */
    private static long oldestLogEntry(ClusterLayout layout, int server) throws IOException {
        Path log = layout.config(server).dataDir().resolve("raft/log");
        try (Stream<Path> files = Files.walk(log)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("log_"))
                    .mapToLong(name -> Long.parseLong(name.replaceAll("log_(inprogress_)?(\\d+).*", "$2")))
                    .min()
                    .orElseThrow();
        }
    }

    @Test
    void everyServerTakesEveryRequestAndAllAgree() {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        try (JvmCluster cluster = JvmCluster.start(layout)) {
            for (int server = 0; server < 3; server++) {
                try (Api api = new Api(java.util.List.of(layout.endpoint(server)))) {
                    SubmitJobResponse submitted = api.submit(Api.shellJob("via-" + server, 2, "true"));
                    assertThat(submitted.getJob().getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
                    assertThat(api.job("via-" + server).getJob().getUid())
                            .isEqualTo(submitted.getJob().getUid());
                    await().atMost(Duration.ofSeconds(20))
                            .until(() -> api.job("via-0").getPendingReason().startsWith("no node is ready"));
                }
            }
            assertThat(cluster.leader()).isPresent();
            assertThat(digests(layout)).hasSize(1);
        }
    }

    @Test
    void aRetriedRequestGetsItsFirstAnswerThroughALeaderChange() {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout)) {
            Job job = Api.shellJob("once", 1, "true");
            SubmitJobResponse first = api.submit(job, "my-request");
            cluster.stop(cluster.leader().orElseThrow());
            SubmitJobResponse second = api.submit(job, "my-request");
            assertThat(second.getJob()).isEqualTo(first.getJob());
            assertThatThrownBy(() -> api.submit(Api.shellJob("other", 1, "true"), "my-request"))
                    .isInstanceOfSatisfying(
                            SurestateException.class,
                            refused -> assertThat(refused.detail().getCode())
                                    .isEqualTo(ErrorCode.ERROR_CODE_REQUEST_ID_REUSED));
        }
    }

    @Test
    void replicasAgreeAfterARestartFromASnapshotAndAfterAnInstall() throws IOException {
        ClusterLayout layout = ClusterLayout.of(folder, 3).withShortLog(100);
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout)) {
            api.submit(Api.shellJob("first", 1, "true"));
            int leader = cluster.leader().orElseThrow();
            int lagging = (leader + 1) % 3;
            int restarted = (leader + 2) % 3;
            long digestAtStop = digestOf(layout, lagging, 0).getDigest().getRevision();
            cluster.stop(lagging);
            for (int i = 0; i < 300; i++) {
                api.submit(Api.shellJob("job-" + i, 3, "true # " + "fills the log ".repeat(150)));
            }
            cluster.restart(restarted);
            assertThat(oldestLogEntry(layout, leader)).isGreaterThan(digestAtStop);
            cluster.restart(lagging);
            await().atMost(Duration.ofMinutes(2)).until(() -> {
                long newest = digestOf(layout, leader, 0).getDigest().getRevision();
                return digestOf(layout, lagging, 0).getDigest().getRevision() >= newest
                        && digestOf(layout, restarted, 0).getDigest().getRevision() >= newest;
            });
            assertThat(digests(layout)).hasSize(1);
        }
    }

    @Test
    void withoutAQuorumRequestsAreRefusedInTimeAndServedAgainLater() {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        try (JvmCluster cluster = JvmCluster.start(layout);
                Api api = Api.of(layout)) {
            api.submit(Api.shellJob("before", 1, "true"));
            cluster.stop(0);
            cluster.stop(1);
            try (Api lonely = new Api(java.util.List.of(layout.endpoint(2)))) {
                assertThatThrownBy(() -> lonely.client()
                                .call(
                                        io.surestate.api.v1.JobsGrpc.getGetJobMethod(),
                                        io.surestate.api.v1.GetJobRequest.newBuilder()
                                                .setJob("before")
                                                .build(),
                                        Duration.ofSeconds(4)))
                        .isInstanceOfSatisfying(
                                SurestateException.class,
                                refused -> assertThat(refused.detail().getCategory())
                                        .isEqualTo(ErrorCategory.ERROR_CATEGORY_UNAVAILABLE));
            }
            cluster.restart(0);
            assertThat(api.job("before").getJob().getName()).isEqualTo("before");
        }
    }
}
