package io.surestate.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The Debian packages as a machine with systemd takes them. What a machine lacks skips the test, which says so. */
class PackagesIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    /** One of the five hosts that the tools for tests make; nobody else uses the last. */
    private static final int HOST = 5;

    private static final Path TOOLS = Shell.source().resolve("../shared/tools").normalize();
    /** How often the agent is restarted under its tasks. */
    private static final int RESTARTS = Integer.getInteger("surestate.restarts", 3);

    private final Shell shell = new Shell(Map.of());

    private boolean booted;
    private boolean networked;

    private static String packages() {
        try (Stream<Path> files = Files.list(Shell.source().resolve("dist/target"))) {
            return files.filter(file -> file.toString().endsWith(".deb"))
                    .sorted()
                    .map(file -> file.toAbsolutePath().normalize().toString())
                    .collect(Collectors.joining(" "));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private boolean has(String program) {
        return shell.run("sh -c 'command -v " + program + " >/dev/null'", 10).exit() == 0;
    }

    private String run(String command) {
        Shell.Result result = shell.run(command, 300);
        assertThat(result.exit()).as(command + "\n" + result.output()).isZero();
        return result.output();
    }

    @Test
    void lintianHasNoErrors() {
        assumeTrue(has("lintian"), "no lintian here (Debian: lintian)");
        assertThat(shell.run("lintian --allow-root --fail-on none " + packages(), 300)
                        .output()
                        .lines())
                .noneMatch(line -> line.startsWith("E:"));
    }

    @Test
    void theServersUnitIsShutOffFromTheMachine() {
        assumeTrue(has("systemd-analyze"), "no systemd-analyze here");
        Path units = Shell.source().resolve("conf/systemd");
        String security =
                run("systemd-analyze security --no-pager --offline=true " + units.resolve("surestated.service"));
        String level = security.replaceAll("(?s).*exposure level for surestated.service: ([0-9.]+).*", "$1");
        assertThat(Double.parseDouble(level)).isLessThan(2.5);
    }

    private String node(String command) {
        return run("bash " + TOOLS.resolve("systemd-node.sh") + " exec " + HOST + " " + command);
    }

    private void boot() {
        assumeTrue(Files.exists(TOOLS.resolve("systemd-node.sh")), "no tools to boot a systemd: " + TOOLS);
        assumeTrue(run("id -u").strip().equals("0"), "only root can boot a systemd");
        assumeTrue(has("dpkg") && has("unshare") && has("ip"), "dpkg, unshare or ip is missing");
        if (!run("ip netns list").contains("rh" + HOST)) {
            run("bash " + TOOLS.resolve("net-hosts.sh") + " up");
            networked = true;
        }
        booted = true;
        shell.run("bash " + TOOLS.resolve("systemd-node.sh") + " start " + HOST, 60);
        assertThat(shell.run(
                                "bash " + TOOLS.resolve("systemd-node.sh") + " exec " + HOST
                                        + " systemctl is-system-running",
                                60)
                        .output())
                .containsAnyOf("running", "degraded");
    }

    @AfterEach
    void powerOff() {
        if (booted) {
            shell.run("bash " + TOOLS.resolve("systemd-node.sh") + " stop " + HOST, 60);
        }
        if (networked) {
            shell.run("bash " + TOOLS.resolve("net-hosts.sh") + " down", 60);
        }
    }

    @Test
    void installedStartedRestartedUpgradedAndRemovedUnderRunningTasks() {
        boot();
        node("dpkg -i " + packages());
        String said =
                node("systemd-analyze verify surestated.service surestate-agent.service surestate-keeper.service");
        assertThat(said.lines().filter(line -> line.contains("surestate"))).isEmpty();
        node("runuser -u surestate -- surestated --config /etc/surestate/surestated.yaml --init");
        node("sed -i 's/^servers:.*/servers: [\"127.0.0.1:7300\"]/' /etc/surestate/surestate-agent.yaml");
        node("systemctl enable --now surestated surestate-agent");
        await().atMost(SOON)
                .until(() -> node("systemctl show surestated -p StatusText").contains("leads"));
        await().atMost(SOON).until(() -> node("ssctl node list").contains("READY"));

        node("ssctl job run --name steady --count 12 --cpu 100m -- sleep 100000");
        await().atMost(SOON)
                .until(() -> pids().lines().filter(pid -> !pid.isBlank()).count() == 12);
        String before = pids();
        for (int i = 0; i < RESTARTS; i++) {
            node("systemctl restart surestate-agent");
        }
        await().atMost(SOON).until(() -> node("ssctl node list").contains("READY"));
        assertThat(pids()).isEqualTo(before);

        node("dpkg -i " + packages());
        await().atMost(SOON)
                .until(() -> node("systemctl is-active surestated surestate-agent surestate-keeper")
                        .equals("active\nactive\nactive\n"));
        await().atMost(SOON).until(() -> node("ssctl job get steady").contains("RUNNING"));
        assertThat(pids()).isEqualTo(before);

        node("dpkg -r surestate-agent");
        assertThat(pids()).isEqualTo(before);
        node("dpkg -r surestate-server surestate-cli surestate-common");
        node("test -d /var/lib/surestate");
        node("dpkg -P surestate-server");
        node("test ! -e /var/lib/surestate");
    }

    private String pids() {
        return node("sh -c 'pgrep -xf \"sleep 100000\" || true'");
    }
}
