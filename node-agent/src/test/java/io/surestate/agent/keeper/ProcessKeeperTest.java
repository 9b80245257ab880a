package io.surestate.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.agent.cgroup.Bounds;
import io.surestate.agent.cgroup.ControlGroup;
import io.surestate.agent.cgroup.ControlGroups;
import io.surestate.agent.cgroup.KernelGroups;
import io.surestate.agent.process.ProcessId;
import io.surestate.agent.process.ProcessTable;
import io.surestate.agent.process.RealProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessKeeperTest {
    /** Of an agent that does not live, so that the keeper leaves when its work is done. */
    private static final ProcessId NOBODY = new ProcessId(1L << 22, 1);

    @TempDir
    Path root;

    @Test
    void killsWhatLeftSessionAndTokenButNotTheControlGroup() throws IOException {
        String nodeId = UUID.randomUUID().toString();
        ControlGroups groups = KernelGroups.orSkip(nodeId);
        ControlGroup group = groups.of("a-1");
        group.create(new Bounds(new TreeSet<>(), new TreeSet<>(), 0, 0, 20, List.of()));
        Path folder = Files.createDirectories(root.resolve("tasks/a-1"));
        Files.writeString(
                folder.resolve("cgroup"),
                group.doors().stream().map(door -> door + "\n").collect(Collectors.joining()));
        String enter =
                group.doors().stream().map(door -> "echo 0 >" + door + "; ").collect(Collectors.joining());
        Process runaway = new ProcessBuilder("sh", "-c", enter + "exec env -i setsid sleep 1000").start();
        RealProcesses.await("the runaway", () -> processes(group) == 1);

        ProcessKeeper keeper = new ProcessKeeper(
                new ProcessKeeper.Settings(root.resolve("keeper"), root.resolve("tasks"), nodeId, "boot", NOBODY, true),
                new ProcessTable(Path.of("/proc")));
        keeper.update(1, List.of(new GuardedTask("a-1", 7)));
        keeper.alive(0);

        RealProcesses.await("its end", () -> !runaway.isAlive());
        assertThat(folder.resolve("fenced")).exists();
        RealProcesses.await("an empty group", () -> processes(group) == 0);
        assertThat(group.remove()).isTrue();
    }

    private static int processes(ControlGroup group) {
        try {
            return group.processes().size();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
