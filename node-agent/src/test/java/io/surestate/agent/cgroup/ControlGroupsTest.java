package io.surestate.agent.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupsTest {
    private static final Bounds ALL =
            new Bounds(new TreeSet<>(List.of(2, 3)), new TreeSet<>(List.of(1)), 1_500, 1 << 20, 7, List.of());
    private static final Bounds NOTHING = new Bounds(new TreeSet<>(), new TreeSet<>(), 0, 0, 0, List.of());

    @TempDir
    Path root;

    /** A machine's view of its mounts, and folders in which plain files stand for the kernel's. */
    private Path unifiedMachine() throws IOException {
        Path mount = Files.createDirectories(root.resolve("cgroup"));
        Path home = Files.createDirectories(mount.resolve("surestate/n1"));
        for (Path folder : List.of(mount, mount.resolve("surestate"), home)) {
            Files.writeString(folder.resolve("cgroup.controllers"), "cpuset cpu io memory pids\n");
            Files.writeString(folder.resolve("cgroup.subtree_control"), "memory\n");
        }
        return proc("31 23 0:28 / " + mount + " rw,relatime shared:9 - cgroup2 cgroup2 rw\n");
    }

    private Path proc(String mounts) throws IOException {
        Path proc = root.resolve("proc");
        Files.createDirectories(proc.resolve("self"));
        Files.writeString(proc.resolve("self/mountinfo"), mounts);
        return proc;
    }

    @Test
    void aGroupOfTheSecondVersionIsOneFolderWithAllItsBounds() throws IOException {
        ControlGroups groups = ControlGroups.open(unifiedMachine(), "surestate", "n1");
        assertThat(groups.version()).isEqualTo("v2");
        ControlGroup group = groups.of("a-1");
        group.create(ALL);
        Path folder = root.resolve("cgroup/surestate/n1/a-1");
        assertThat(folder.resolve("cpuset.cpus")).hasContent("2,3");
        assertThat(folder.resolve("cpuset.mems")).hasContent("1");
        assertThat(folder.resolve("cpu.max")).hasContent("150000 100000");
        assertThat(folder.resolve("memory.max")).hasContent("1048576");
        assertThat(folder.resolve("pids.max")).hasContent("7");
        assertThat(group.doors()).containsExactly(folder.resolve("cgroup.procs"));
        assertThat(groups.present()).containsExactly("a-1");
        Files.writeString(folder.resolve("memory.events"), "low 0\noom 2\noom_kill 1\n");
        assertThat(group.shortage()).isEqualTo(ControlGroup.Shortage.KILLED);
        Files.writeString(folder.resolve("cgroup.kill"), "");
        group.choke();
        assertThat(folder.resolve("cgroup.kill")).hasContent("1");
    }

    @Test
    void theSecondVersionHandsItsControllersDownToTheGroups() throws IOException {
        ControlGroups.open(unifiedMachine(), "surestate", "n1");
        for (String folder : List.of("cgroup", "cgroup/surestate", "cgroup/surestate/n1")) {
            // A plain file keeps the last word only.
            assertThat(root.resolve(folder).resolve("cgroup.subtree_control"))
                    .content()
                    .startsWith("+");
        }
    }

    @Test
    void saysWhatIsMissing() throws IOException {
        Path proc = proc("""
                32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
                33 31 0:30 / /sys/fs/cgroup/name rw - cgroup cgroup rw,name=systemd
                """);
        assertThatThrownBy(() -> ControlGroups.open(proc, "surestate", "n1"))
                .hasMessage("control groups: cpu (expected: cpuset, memory, pids)");
    }

    @Test
    void theKernelTakesTheBoundsAndGivesTheGroupBack() throws IOException {
        ControlGroups groups = KernelGroups.orSkip(UUID.randomUUID().toString());
        ControlGroup group = groups.of("a-1");
        group.create(new Bounds(new TreeSet<>(List.of(0)), new TreeSet<>(), 500, 64 << 20, 9, List.of()));
        assertThat(group.doors()).isNotEmpty().allMatch(Files::exists);
        assertThat(group.processes()).isEmpty();
        assertThat(groups.present()).containsExactly("a-1");
        assertThat(group.shortage()).isEqualTo(ControlGroup.Shortage.NONE);
        assertThat(group.remove()).isTrue();
        assertThat(groups.present()).isEmpty();
        assertThat(group.processes()).isEmpty();
        group.choke();
        assertThat(group.remove()).isTrue();
    }

    @Test
    void aGroupThatTheKernelRefusesLeavesNothing() throws IOException {
        ControlGroups groups = KernelGroups.orSkip(UUID.randomUUID().toString());
        ControlGroup group = groups.of("a-1");
        assertThatThrownBy(() ->
                        group.create(new Bounds(new TreeSet<>(List.of(4_000)), new TreeSet<>(), 0, 0, 0, List.of())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cpuset.cpus: 4000 refused by the kernel");
        assertThat(groups.present()).isEmpty();
        group.create(NOTHING);
        assertThat(group.remove()).isTrue();
    }

    @Test
    void readsTheNumbersOfDeviceNodes() {
        assertThat(DeviceNode.of(Path.of("/dev/null"))).hasToString("Optional[c 1:3]");
        assertThat(DeviceNode.of(root)).isEmpty();
        assertThat(DeviceNode.of(root.resolve("nothing"))).isEmpty();
    }
}
