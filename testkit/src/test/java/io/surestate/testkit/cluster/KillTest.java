package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.StateDigest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL under load: nothing acknowledged is lost, nothing happens twice, and the cluster serves again each time. */
class KillTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private static void awaitMore(SubmitLoad load) {
        int before = load.acknowledged().size();
        await().atMost(SOON).until(() -> load.acknowledged().size() >= before + 10);
    }

    private static StateDigest digest(ClusterLayout layout, int server, long revision) {
        try (Api one = new Api(List.of(layout.endpoint(server)))) {
            return one.digest(revision).getDigest();
        }
    }

    @Test
    void tenLeadersAreKilledUnderLoad() {
        ClusterLayout layout = ClusterLayout.of(folder, 3).withShortLog(500);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            SubmitLoad load = new SubmitLoad(layout, 3);
            try (load) {
                for (int kill = 0; kill < 10; kill++) {
                    awaitMore(load);
                    int leader = Integer.parseInt(api.status().getLeaderId().substring(1)) - 1;
                    cluster.killServer(leader);
                    awaitMore(load);
                    cluster.restartServer(leader);
                }
                awaitMore(load);
            }
            assertThat(load.contradictions(api)).isEmpty();
            assertEqualDigests(layout);
        }
    }

    @Test
    void allServersAreKilledAtOnceUnderLoad() {
        ClusterLayout layout = ClusterLayout.of(folder, 3).withShortLog(500);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            SubmitLoad load = new SubmitLoad(layout, 3);
            StateDigest before;
            try (load) {
                awaitMore(load);
                before = digest(layout, 0, 0);
                awaitMore(load);
                for (int server = 0; server < 3; server++) {
                    cluster.killServer(server);
                }
                for (int server = 0; server < 3; server++) {
                    cluster.restartServer(server);
                }
                awaitMore(load);
            }
            assertThat(load.contradictions(api)).isEmpty();
            // The same log goes on: the digest of then is still the digest of that revision, on every server.
            for (int server = 0; server < 3; server++) {
                StateDigest after = digest(layout, server, before.getRevision());
                assertThat(after.getDigest()).isEqualTo(before.getDigest());
            }
            assertEqualDigests(layout);
        }
    }

    private static void assertEqualDigests(ClusterLayout layout) {
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> {
            StateDigest reference = digest(layout, 0, 0);
            for (int server = 1; server < 3; server++) {
                assertThat(digest(layout, server, reference.getRevision()).getDigest())
                        .isEqualTo(reference.getDigest());
            }
        });
    }
}
