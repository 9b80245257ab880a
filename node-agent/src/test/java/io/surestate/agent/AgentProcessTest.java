package io.surestate.agent;

import static io.surestate.agent.process.RealProcesses.await;
import static io.surestate.agent.process.RealProcesses.lives;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.surestate.agent.device.FakeTools;
import io.surestate.agent.device.FakeTools.Gpu;
import io.surestate.agent.driver.Tasks;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.OutputRequest;
import io.surestate.api.v1.TaskState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The whole agent in a JVM of its own, killed and frozen, against a leader in this one. */
class AgentProcessTest {
    private static final String ENDLESS = "while :; do sleep 0.05; done";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    private final List<Process> agents = new ArrayList<>();
    private FakeLeader leader;

    @BeforeEach
    void lead() throws IOException {
        leader = new FakeLeader();
    }

    @AfterEach
    void endEverything() throws IOException {
        agents.forEach(Process::destroyForcibly);
        for (Process agent : agents) {
            agent.onExit().join();
        }
        // The keeper ends what a test left running: its deadline is put into the past.
        Path keeper = root.resolve("data/keeper");
        if (Files.exists(keeper.resolve("pid"))) {
            long pid = firstNumber(keeper.resolve("pid"));
            Files.writeString(keeper.resolve("state.last"), "1\n0 0\n" + everyTask());
            Files.move(
                    keeper.resolve("state.last"),
                    keeper.resolve("state"),
                    java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            await("the end of the keeper", () -> !lives(pid));
        }
        leader.close();
    }

    @Test
    void aKilledAgentsTaskIsTakenBackByTheNextOne() throws IOException {
        DesiredTask task = Tasks.shell(1, "while [ ! -e go ]; do sleep 0.02; done; exit 4");
        start();
        leader.want(task);
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        long pid = leader.report("a-1").getPid();
        kill();
        leader.reports.clear();
        leader.want(task.toBuilder().setStarted(true).build());
        start();
        await("second hello", () -> leader.hellos.size() == 2);
        Hello again = leader.hellos.get(1);
        assertThat(again.getInventory(0).getState()).isEqualTo(TaskState.TASK_STATE_RUNNING);
        assertThat(again.getInventory(0).getPid()).isEqualTo(pid);
        assertThat(again.getNodeId()).isEqualTo(leader.hellos.get(0).getNodeId());
        assertThat(again.getIncarnation()).isNotEqualTo(leader.hellos.get(0).getIncarnation());
        kill();
        Files.createFile(root.resolve("data/tasks/a-1/work/go"));
        await("the end of the task", () -> !lives(pid));
        start();
        awaitState("a-1", TaskState.TASK_STATE_FAILED);
        assertThat(leader.report("a-1").getExitCode()).isEqualTo(4);
    }

    @Test
    void theKeeperKillsGuardedTasksOfADeadAgentAndNoOthers() {
        start();
        List<DesiredTask> tasks = List.of(
                Tasks.stopsAtLeaseEnd(Tasks.shell(1, "trap '' TERM; setsid sleep 1000 & " + ENDLESS)),
                Tasks.shell(2, ENDLESS));
        leader.want(tasks.get(0), tasks.get(1));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        awaitState("a-2", TaskState.TASK_STATE_RUNNING);
        kill();
        long guarded = leader.report("a-1").getPid();
        assertThat(lives(guarded)).isTrue();
        await("the end of the lease", () -> !lives(guarded));
        await("the end of the whole tree", () -> Files.exists(root.resolve("data/tasks/a-1/fenced")));
        assertThat(lives(leader.report("a-2").getPid())).isTrue();
        leader.want(
                tasks.get(0).toBuilder().setStarted(true).build(),
                tasks.get(1).toBuilder().setStarted(true).build());
        start();
        awaitState("a-1", TaskState.TASK_STATE_LOST);
        assertThat(leader.state("a-2")).isEqualTo(TaskState.TASK_STATE_RUNNING);
    }

    @Test
    void theKeeperKillsGuardedTasksOfAFrozenAgent() {
        Process agent = start();
        leader.want(Tasks.stopsAtLeaseEnd(Tasks.shell(1, ENDLESS)), Tasks.shell(2, ENDLESS));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        awaitState("a-2", TaskState.TASK_STATE_RUNNING);
        long guarded = leader.report("a-1").getPid();
        signal("STOP", agent.pid());
        await("the end of the lease", () -> !lives(guarded));
        assertThat(lives(leader.report("a-2").getPid())).isTrue();
        signal("CONT", agent.pid());
        awaitState("a-1", TaskState.TASK_STATE_LOST);
    }

    @Test
    void aKeeperThatWasKilledIsReplacedAndTheLeaseGoesOn() throws IOException {
        start();
        leader.want(Tasks.stopsAtLeaseEnd(Tasks.shell(1, ENDLESS)));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        Path pidFile = root.resolve("data/keeper/pid");
        long keeper = firstNumber(pidFile);
        signal("KILL", keeper);
        await("another keeper", () -> firstNumber(pidFile) != keeper);
        long before = leaseDeadline();
        await("the lease", () -> leaseDeadline() > before + 1_000);
        assertThat(leader.state("a-1")).isEqualTo(TaskState.TASK_STATE_RUNNING);
    }

    @Test
    void aTerminatedAgentLeavesItsTasksAndEndsWell() throws InterruptedException {
        Process agent = start();
        leader.want(Tasks.shell(1, ENDLESS));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        signal("TERM", agent.pid());
        assertThat(agent.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(agent.exitValue()).isZero();
        assertThat(lives(leader.report("a-1").getPid())).isTrue();
    }

    @Test
    void outputIsFollowedToItsEnd() {
        start();
        leader.want(Tasks.shell(1, "echo one; while [ ! -e go ]; do sleep 0.02; done; echo two"));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        leader.ask(OutputRequest.newBuilder()
                .setStreamId("s1")
                .setAllocationId("a-1")
                .setFollow(true)
                .build());
        await("first line", () -> leader.output().equals("one\n"));
        assertThat(leader.finishedStreams).isEmpty();
        touch(root.resolve("data/tasks/a-1/work/go"));
        await("end of the stream", () -> leader.finishedStreams.contains("s1"));
        assertThat(leader.output()).isEqualTo("one\ntwo\n");
        leader.ask(OutputRequest.newBuilder()
                .setStreamId("s2")
                .setAllocationId("a-77")
                .build());
        await("refusal", () -> leader.finishedStreams.contains("s2"));
        assertThat(leader.chunks.get(leader.chunks.size() - 1).getError()).contains("not kept on this node");
    }

    @Test
    void aSecondAgentOnTheSameFolderIsRefused() throws InterruptedException {
        start();
        await("hello", () -> leader.hellos.size() == 1);
        Process second = start();
        assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isEqualTo(1);
        assertThat(log()).contains("is held by another agent");
    }

    @Test
    void manyFakeNodesRegister() throws IOException {
        start("fakeNodes: 300x8\n");
        await("all hellos", () -> leader.hellos.size() == 300);
        assertThat(leader.hellos).extracting(Hello::getNodeName).doesNotHaveDuplicates();
        assertThat(leader.hellos).extracting(Hello::getNodeId).doesNotHaveDuplicates();
        assertThat(leader.hellos.get(0).getSpec().getDevicesCount()).isEqualTo(8);
    }

    @Test
    void whatBecomesOfGpusIsHeardWhileTheirTasksRunOn() throws IOException {
        Path tools = Files.createDirectory(root.resolve("tools"));
        FakeTools.nvidia(tools, Gpu.well(0), Gpu.well(1));
        start("discovery: {programLimit: 3s, programPath: \"" + tools + ":/usr/bin:/bin\"}\n");
        await("hello", () -> leader.hellos.size() == 1);
        assertThat(leader.hellos.get(0).getSpec().getDevicesCount()).isEqualTo(2);
        leader.want(Tasks.shell(1, ENDLESS));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        long pid = leader.report("a-1").getPid();
        await("readings", () -> leader.telemetry.stream().anyMatch(reading -> reading.getDevicesCount() == 2));

        FakeTools.nvidia(tools, Gpu.well(0));
        await("the loss", () -> leader.devices.containsKey(1));
        assertThat(leader.device(1).getReason()).isEqualTo("nvidia-smi no longer lists it");
        FakeTools.nvidia(tools, Gpu.well(0).withErrors(2), Gpu.well(1));
        await("the errors", () -> leader.devices.containsKey(0));
        await("the return", () -> leader.device(1).getHealth() == DeviceHealth.DEVICE_HEALTH_HEALTHY);

        FakeTools.write(tools, "nvidia-smi", "sleep 1000");
        await("a condition", () -> !leader.conditions.isEmpty());
        assertThat(leader.conditions.get(0).getConditions(0).getReason())
                .isEqualTo("nvidia-smi -q -x: no end within 3000 ms");
        assertThat(leader.hellos).hasSize(1);

        FakeTools.nvidia(tools, Gpu.well(0).cut(1, 2), Gpu.well(1));
        await("another hello", () -> leader.hellos.size() == 2);
        assertThat(leader.hellos.get(1).getSpec().getDevicesList())
                .extracting(Device::getOrdinal, Device::getParentPlusOne)
                .containsExactly(tuple(0, 0), tuple(1, 0), tuple(2, 1), tuple(3, 1));
        assertThat(leader.hellos.get(1).getInventory(0).getPid()).isEqualTo(pid);
        assertThat(lives(pid)).isTrue();
    }

    @Test
    void anAgentWhoseToolHangsSaysHelloWithTheDevicesThatItHad() throws IOException {
        Path tools = Files.createDirectory(root.resolve("tools"));
        FakeTools.nvidia(tools, Gpu.well(0), Gpu.well(1));
        String discovery = "discovery: {programLimit: 1m, programPath: \"" + tools + ":/usr/bin:/bin\"}\n";
        start(discovery);
        await("hello", () -> leader.hellos.size() == 1);
        kill();
        FakeTools.write(tools, "nvidia-smi", "exec sleep 1000");
        start(discovery);
        await("another hello", () -> leader.hellos.size() == 2);
        assertThat(leader.hellos.get(1).getSpec())
                .isEqualTo(leader.hellos.get(0).getSpec());
    }

    private Process start() {
        return start("");
    }

    private Process start(String more) {
        try {
            Path config = root.resolve("agent.yaml");
            Files.writeString(
                    config,
                    "clusterId: c\nnodeName: n\nservers: [\"" + leader.endpoint() + "\"]\ndataDir: "
                            + root.resolve("data") + "\n" + more);
            Process agent = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin/java").toString(),
                            "-Xmx64m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            AgentMain.class.getName(),
                            "--config",
                            config.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            root.resolve("agent.log").toFile()))
                    .start();
            agents.add(agent);
            return agent;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void kill() {
        agents.forEach(agent -> agent.destroyForcibly().onExit().join());
    }

    private void awaitState(String allocationId, TaskState state) {
        await(allocationId + " " + state, () -> leader.state(allocationId) == state);
    }

    private static void signal(String name, long pid) {
        try {
            new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid)
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String everyTask() throws IOException {
        Path tasks = root.resolve("data/tasks");
        String nodeId = Files.readString(root.resolve("data/node-id")).strip();
        StringBuilder lines = new StringBuilder();
        try (var folders = Files.list(tasks)) {
            for (Path folder : folders.toList()) {
                String id = folder.getFileName().toString();
                int number = Integer.parseInt(id.substring(2));
                lines.append(id + "/" + (100 + number) + "/" + nodeId + " " + folder + "\n");
            }
        }
        return lines.toString();
    }

    private long leaseDeadline() {
        return firstNumber(root.resolve("data/keeper/state"));
    }

    private static long firstNumber(Path file) {
        try {
            return Long.parseLong(Files.readString(file).split("[ \n]", -1)[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void touch(Path file) {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String log() {
        try {
            return Files.readString(root.resolve("agent.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
