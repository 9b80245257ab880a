package io.surestate.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions to a running cluster of simulated nodes, asked as somebody at a terminal does. */
class SimulateLiveIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void answersFromARunningClusterAndLeavesItAsItIs() throws IOException, InterruptedException {
        int port = freePort();
        Shell shell = new Shell(Map.of("SSCTL_SERVER", "127.0.0.1:" + port));
        Shell.Running dev = shell.start(
                "./ssctl dev --port " + port + " --data-dir " + folder.resolve("dev") + " --fake-nodes 4x8");
        await().atMost(SOON).until(() -> {
            assertThat(dev.process().isAlive()).as(dev.text()).isTrue();
            return dev.text().contains("simulated nodes are ready");
        });
        run(shell, "job run --name holds --count 2 --gpus 8 -e FAKE_RUN_MILLIS=600000 -- train");
        await().atMost(SOON)
                .until(() ->
                        run(shell, "alloc list --job holds -o name").lines().count() == 2);
        String before = run(shell, "alloc list -o json");

        Path job = Files.writeString(
                folder.resolve("job.yaml"),
                "name: asks\ngroups: [{name: rank, count: 3, resources: {devices: [{kind: GPU, count: 8}]}, command: [train]}]\n");
        assertThat(run(shell, "simulate --live --job " + job))
                .contains("asks", "waits", "group rank: 2 of 3 tasks fit", "nothing was changed");

        Matcher held = Pattern.compile("\"node\"\\s*:\\s*\"([^\"]+)\"").matcher(before);
        assertThat(held.find()).isTrue();
        assertThat(run(shell, "simulate --live --without " + held.group(1)))
                .containsPattern("holds +2 +1 +placed +\\S+ x 1, \\S+ x 1")
                .doesNotContain(held.group(1) + " x");

        Path trace =
                Files.writeString(folder.resolve("t.csv"), "num_gpu,submit_time,duration\n16,0,60000\n8,1,60000\n");
        assertThat(run(shell, "simulate --live --workload philly:" + trace))
                .containsPattern("fcfs +easy +2 ")
                .contains("(2 allocations of now are kept for the whole replay");

        assertThat(run(shell, "alloc list -o json")).isEqualTo(before);
        assertThat(shell.run("kill -INT " + dev.process().pid(), 10).exit()).isZero();
        assertThat(dev.process().waitFor(30, TimeUnit.SECONDS)).as(dev.text()).isTrue();
    }

    private static String run(Shell shell, String command) {
        Shell.Result result = shell.run("./ssctl " + command, 60);
        assertThat(result.exit()).as(result.output()).isZero();
        return result.output();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
