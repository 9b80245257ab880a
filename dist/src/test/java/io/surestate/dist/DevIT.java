package io.surestate.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster in the foreground, stopped and started again as somebody at a terminal does. */
class DevIT {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private static Shell.Running startDev(Shell shell, String arguments, String readyLine) {
        Shell.Running dev = shell.start("./ssctl dev " + arguments);
        await().atMost(SOON).until(() -> {
            assertThat(dev.process().isAlive()).as(dev.text()).isTrue();
            return dev.text().contains(readyLine);
        });
        return dev;
    }

    private static void interrupt(Shell shell, Shell.Running dev) throws InterruptedException {
        assertThat(shell.run("kill -INT " + dev.process().pid(), 10).exit()).isZero();
        assertThat(dev.process().waitFor(30, TimeUnit.SECONDS)).as(dev.text()).isTrue();
        assertThat(dev.process().exitValue()).as(dev.text()).isZero();
    }

    @Test
    void keepsItsStateOverARestartAndStopsCleanly() throws IOException, InterruptedException {
        int port = freePort();
        Shell shell = new Shell(Map.of("SSCTL_SERVER", "127.0.0.1:" + port));
        String arguments = "--port " + port + " --data-dir " + folder.resolve("dev");

        Shell.Running first = startDev(shell, arguments, "is ready");
        Shell.Result ran = shell.run("./ssctl job run --name once --follow -- echo it ran", 60);
        assertThat(ran.exit()).as(ran.output()).isZero();
        assertThat(ran.output()).contains("it ran");
        interrupt(shell, first);

        Shell.Running second = startDev(shell, arguments + " --fake-nodes 20x8", "simulated nodes are ready");
        Shell.Result finished = shell.run("./ssctl job list --all -o name", 60);
        assertThat(finished.output()).contains("once");
        Shell.Result gang =
                shell.run("./ssctl job run --name gang --count 20 --gpus 8 -e FAKE_RUN_MILLIS=500 --wait -- train", 60);
        assertThat(gang.exit()).as(gang.output()).isZero();
        interrupt(shell, second);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
