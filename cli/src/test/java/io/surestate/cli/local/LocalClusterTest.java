package io.surestate.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With shell scripts in place of server and agent; the whole programs are tested from the installed folder. */
class LocalClusterTest {
    @TempDir
    private Path folder = Path.of("");

    private Installation installation(String server, String agent) throws IOException {
        Path bin = Files.createDirectories(folder.resolve("home").resolve("bin"));
        script(bin.resolve("surestated"), server);
        script(bin.resolve("surestate-agent"), agent);
        return new Installation(folder.resolve("home"));
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private LocalCluster cluster(Installation installation) {
        ServerPlace server = new ServerPlace("s1", 1, 2, 3, folder.resolve("s1"));
        NodePlace node = new NodePlace("n1", folder.resolve("n1"), "0", "1Gi", "");
        return new LocalCluster(
                installation,
                new LocalCluster.Plan("test", folder, List.of(server), List.of(node), Timing.quick(), "here"));
    }

    @Test
    void leavesNoProcess() throws IOException {
        LocalCluster cluster = cluster(installation("exec sleep 1000", "exec sleep 1000"));
        cluster.start();
        List<Long> pids = List.copyOf(cluster.pids().values());

        cluster.close();

        assertThat(pids).hasSize(2).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
    }

    @Test
    void killsTasksThatOutliveTheirAgent() throws IOException {
        Path task = folder.resolve("n1/data/tasks/1-0");
        Files.createDirectories(task);
        Process running = new ProcessBuilder("setsid", "sh", "-c", "echo ready; sleep 1000; true").start();
        assertThat(running.inputReader().readLine()).isEqualTo("ready");
        String[] stat =
                Files.readString(Path.of("/proc/" + running.pid() + "/stat")).split(" ", -1);
        Files.writeString(task.resolve("leader"), running.pid() + " " + stat[21] + "\n");
        LocalCluster cluster = cluster(installation("exec sleep 1000", "exec sleep 1000"));
        cluster.start();

        cluster.killNode("n1");

        assertThat(running.onExit().join().exitValue()).isEqualTo(137);
        cluster.close();
    }

    @Test
    void noticesAProcessThatEndedByItself() throws IOException {
        LocalCluster cluster = cluster(installation("echo no luck; exit 3", "exec sleep 1000"));
        cluster.start();
        Child server = cluster.child("s1");

        server.await();

        assertThat(cluster.fallen(List.of())).contains(server);
        assertThat(cluster.fallen(List.of("s1"))).isEmpty();
        assertThat(server.lastWords()).isEqualTo("no luck");
        cluster.close();
    }

    @Test
    void sharesOutEachCoreOnce() {
        Machine machine = new Machine("here", List.of(0, 2, 4), 8L << 30);

        assertThat(machine.coreHalf(0)).isEqualTo("0");
        assertThat(machine.coreHalf(1)).isEqualTo("2,4");
        assertThat(new Machine("one", List.of(3), 1L << 30).coreHalf(0)).isEqualTo("3");
        assertThat(Machine.look(Path.of("/proc")).cores()).isNotEmpty();
    }

    @Test
    void givesOutDifferentFreePorts() {
        assertThat(FreePorts.take(9)).doesNotHaveDuplicates().allMatch(FreePorts::isFree);
    }
}
