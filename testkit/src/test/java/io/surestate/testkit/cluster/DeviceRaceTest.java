package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole race is a load generator of its own (bench); here it is short. */
class DeviceRaceTest {
    private static final int CLIENTS = 32;
    private static final int COMMITS_EACH = 25;

    @TempDir
    private Path folder;

    @Test
    @Timeout(180)
    void noDeviceIsHeldTwiceAtAnyRevisionWhileTheLeaderChanges() {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startFakeNodes("fake", "4x8");
            await().atMost(Duration.ofMinutes(2)).ignoreExceptions().until(() -> api.readyNodes() == 4);
            int leader = Integer.parseInt(api.status().getLeaderId().substring(1)) - 1;
            DeviceRace race = new DeviceRace(layout.endpoints());
            DeviceRace.Result result = race.run(CLIENTS, COMMITS_EACH, () -> cluster.killServer(leader));
            assertThat(result.problems()).isEmpty();
            assertThat(result.committed()).isEqualTo(CLIENTS * COMMITS_EACH);
            assertThat(result.refused()).isPositive();
            assertThat(result.left()).isZero();
            assertThat(result.revisionsSeen()).isPositive();
            assertThat(api.status().getLeaderId()).isNotEqualTo("s" + (leader + 1));
        }
    }
}
