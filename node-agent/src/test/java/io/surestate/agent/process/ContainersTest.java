package io.surestate.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.surestate.agent.cgroup.ControlGroups;
import io.surestate.agent.cgroup.KernelGroups;
import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.Tasks;
import io.surestate.agent.oci.AllowedFolders;
import io.surestate.agent.oci.ImageStore;
import io.surestate.agent.oci.Layouts;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.ExecStart;
import io.surestate.api.v1.Mount;
import io.surestate.api.v1.NetworkMode;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks in containers of a real OCI runtime, on this machine's own files as the image. */
class ContainersTest {
    private static final long MEBI = 1 << 20;
    private static final NodeSpec NODE = NodeSpec.newBuilder()
            .addDevices(device(0, "/dev/vga_arbiter"))
            .addDevices(device(1, "/dev/kmsg"))
            .build();

    private final String nodeId = UUID.randomUUID().toString();
    private final ProcessScans scans = new ProcessScans(new ProcessTable(Path.of("/proc")), System::nanoTime);

    @TempDir
    Path root;

    private ControlGroups groups;
    private Containers containers;
    private ProcessDriver driver;

    private static Device device(int ordinal, String file) {
        return Device.newBuilder()
                .setOrdinal(ordinal)
                .setVendor("NVIDIA")
                .setHardwareId("GPU-" + ordinal)
                .addFiles(file)
                .build();
    }

    @BeforeEach
    void open() throws IOException {
        assumeTrue(Tools.find().privileged(), "only root can run containers");
        Optional<Path> runtime = Containers.find(List.of("runc"));
        assumeTrue(runtime.isPresent(), "no OCI runtime here (Debian: runc)");
        groups = KernelGroups.orSkip(nodeId);
        Files.createDirectories(root.resolve("data"));
        containers = new Containers(
                new ImageStore(
                        new ImageStore.Settings(
                                root.resolve("images"), new AllowedFolders(List.of(Path.of("/"))), true, 1 << 30, 1),
                        Set::of),
                runtime.get(),
                root.resolve("containers"),
                new AllowedFolders(List.of(root.resolve("data"))));
        driver = driver("one");
    }

    private ProcessDriver driver(String incarnation) {
        return new ProcessDriver(
                settings(incarnation), scans, new ProcessDriver.Workers(Runnable::run, Runnable::run, Runnable::run));
    }

    private ProcessDriver.Settings settings(String incarnation) {
        return RealProcesses.settings(
                root,
                nodeId,
                incarnation,
                new Accounts("", List.of("nobody")),
                new Isolation(Optional.of(groups), () -> NODE, 60),
                Optional.of(containers));
    }

    @Test
    void aCommandJoinsATaskWithinItsContainerAndCannotJoinOneThatHasEnded() throws IOException, InterruptedException {
        driver.start(image("touch /only-here; while :; do sleep 1; done", group -> {}));
        await("its first step", () -> Files.exists(root.resolve("tasks/a-1/upper/only-here")));
        TaskEntry entry = new TaskEntry(settings("two"), scans.table());
        ExecStart start = ExecStart.newBuilder()
                .addAllCommand(List.of("sh", "-c", "echo /only-*; echo $SURESTATE_INDEX; exit 5"))
                .build();
        Process joined = entry.enter("a-1", start);
        assertThat(new String(joined.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("/only-here\n1\n");
        assertThat(joined.waitFor()).isEqualTo(5);
        driver.stop("a-1", 0);
        await("its end", () -> known().filter(KnownTask::ended).isPresent());
        assertThatThrownBy(() -> entry.enter("a-1", start)).hasMessageContaining("does not run");
        assertThatThrownBy(() -> entry.enter("../a-1", start)).hasMessageContaining("is not on this node");
    }

    @AfterEach
    void endsAllAndLeavesNothing() throws IOException {
        if (driver == null) {
            return;
        }
        driver.tasks().forEach(task -> driver.stop(task.allocationId(), 0));
        await("all ended", () -> driver.tasks().stream().allMatch(KnownTask::ended));
        driver.tasks().forEach(task -> driver.forget(task.allocationId()));
        assertThat(groups.present()).isEmpty();
        assertThat(root.resolve("containers").resolve("a-1")).doesNotExist();
        assertThat(root.resolve("tasks/a-1/upper")).doesNotExist();
        driver.close();
    }

    private void await(String what, BooleanSupplier condition) {
        RealProcesses.await(what, () -> {
            driver.poll(RealProcesses.nowMillis());
            return condition.getAsBoolean();
        });
    }

    private Optional<KnownTask> known() {
        return driver.tasks().stream().findFirst();
    }

    private TaskReport ended(DesiredTask task) {
        driver.start(task);
        return end();
    }

    private TaskReport end() {
        await("ended", () -> known().filter(KnownTask::ended).isPresent());
        return known().orElseThrow().report();
    }

    private static DesiredTask image(String script, Consumer<TaskGroup.Builder> change) {
        DesiredTask.Builder task = Tasks.shell(1, script).toBuilder();
        change.accept(task.getGroupBuilder().setImage("/"));
        task.getAllocationBuilder()
                .getClaimBuilder()
                .addCores(CoreShare.newBuilder().setCoreId(1).setMilli(1_000))
                .setMemoryBytes(64 * MEBI)
                .addDevices(DeviceShare.newBuilder().setOrdinal(1).setMilli(1_000));
        return task.build();
    }

    private String output(String name) {
        try (Stream<Path> parts = Files.list(root.resolve("tasks/a-1/out"))) {
            return parts.filter(part -> part.getFileName().toString().startsWith(name))
                    .map(part -> {
                        try {
                            return Files.readString(part);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .collect(Collectors.joining());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aTaskSeesItselfItsCoresItsDevicesAndItsOwnFiles() throws IOException {
        String script =
                "echo $$; grep Cpus_allowed_list /proc/self/status; pwd; echo $CUDA_VISIBLE_DEVICES; ls /dev/kmsg;"
                        + " ls /dev/vga_arbiter 2>/dev/null; echo changed >/etc/surestate-test; cat /etc/surestate-test; cat data; >kept";
        Files.writeString(root.resolve("data/file"), "mounted\n");
        TaskReport report = ended(image(
                "ln -s /mnt/file data; " + script,
                group -> group.addMounts(Mount.newBuilder()
                        .setSource(root.resolve("data").toString())
                        .setTarget("/mnt")
                        .setReadOnly(true))));
        assertThat(report.getReason()).as(output("stderr")).isEmpty();
        assertThat(output("stdout").lines())
                .containsExactly(
                        "1",
                        "Cpus_allowed_list:\t1",
                        root.resolve("tasks/a-1/work").toString(),
                        "GPU-1",
                        "/dev/kmsg",
                        "changed",
                        "mounted");
        assertThat(root.resolve("tasks/a-1/work/kept")).exists();
        assertThat(Path.of("/etc/surestate-test")).doesNotExist();
    }

    @Test
    void anImageSaysWhatTheNodeWouldButNotWhatOnlySurestateMay() throws IOException {
        Path layout = Files.createDirectories(root.resolve("layout"));
        new Layouts(layout)
                .with(new Layouts.Layer().file("a", "1"))
                .tagged(
                        "v1",
                        "PATH=/of/the/image",
                        "MODE=image",
                        "SURESTATE_TOKEN=forged",
                        "SURESTATE_EPOCH=0",
                        "CUDA_VISIBLE_DEVICES=all");
        DesiredTask task = Tasks.withEnv(image("true", group -> group.setImage(layout + ":v1")), "MODE", "user");
        ended(task);
        assertThat(Files.readString(root.resolve("tasks/a-1/bundle/config.json")))
                .contains("\"PATH=/of/the/image\"", "\"MODE=user\"", "\"SURESTATE_TOKEN=a-1/101/" + nodeId + "\"")
                .contains("\"SURESTATE_EPOCH=101\"", "\"CUDA_VISIBLE_DEVICES=GPU-1\"")
                .doesNotContain("forged", "MODE=image", "=all\"");
    }

    @Test
    void exitCodesAndSignalsAreThoseOfTheProgram() {
        assertThat(ended(image("exit 7", group -> {})).getReason()).isEqualTo("exit code 7");
    }

    @Test
    void whoNeedsMoreMemoryThanItHoldsIsKilledAndToldWhy() {
        TaskReport report = ended(image("x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo done", group -> {}));
        assertThat(report.getState()).isEqualTo(TaskState.TASK_STATE_FAILED);
        assertThat(report.getReason()).startsWith("killed by signal 9").contains("67108864 bytes");
    }

    @Test
    void aStoppedTaskGetsItsSignalAndItsGrace() {
        driver.start(image("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done", group -> {}));
        await("ready", () -> output("stdout").contains("ready"));
        driver.stop("a-1", 20_000);
        assertThat(end().getState()).isEqualTo(TaskState.TASK_STATE_CANCELLED);
        assertThat(output("stdout")).contains("bye");
    }

    @Test
    void whatDoesNotEndIsKilledWhole() {
        driver.start(image("trap '' TERM; setsid sleep 1000 & echo ready; while :; do sleep 0.05; done", group -> {}));
        await("ready", () -> output("stdout").contains("ready"));
        driver.stop("a-1", 100);
        assertThat(end().getState()).isEqualTo(TaskState.TASK_STATE_CANCELLED);
    }

    @Test
    void withItsRuntimeKilledTheTaskIsStillHeldUntilItsTreeIsGone() {
        driver.start(image("echo ready; while :; do sleep 0.05; done", group -> {}));
        await("ready", () -> output("stdout").contains("ready"));
        ProcessHandle.of(known().orElseThrow().report().getPid()).orElseThrow().destroyForcibly();
        TaskReport report = end();
        assertThat(report.getState()).isEqualTo(TaskState.TASK_STATE_FAILED);
    }

    @Test
    void aLaterAgentKnowsTheTaskAgain() {
        driver.start(image("echo ready; while :; do sleep 0.05; done", group -> {}));
        await("ready", () -> output("stdout").contains("ready"));
        driver.close();
        driver = driver("two");
        assertThat(known().orElseThrow().ended()).isFalse();
        driver.stop("a-1", 100);
        assertThat(end().getState()).isEqualTo(TaskState.TASK_STATE_CANCELLED);
    }

    @Test
    void aTaskWithoutNetworkSeesALoopbackOnly() {
        TaskReport report = ended(image("ls /sys/class/net", group -> group.setNetwork(NetworkMode.NETWORK_MODE_NONE)));
        assertThat(report.getReason()).isEmpty();
        assertThat(output("stdout").lines()).containsExactly("lo");
    }

    @Test
    void aTaskRunsAsTheAccountThatItNames() {
        TaskReport report = ended(image("id -u; id -g; : >mine && echo wrote", group -> group.setUser("nobody")));
        assertThat(report.getReason()).as(output("stderr")).isEmpty();
        assertThat(output("stdout").lines()).containsExactly("65534", "65534", "wrote");
    }

    @Test
    void mountsFromElsewhereAreRefused() {
        TaskReport report =
                ended(image("true", group -> group.addMounts(Mount.newBuilder().setSource("/etc"))));
        assertThat(report.getState()).isEqualTo(TaskState.TASK_STATE_FAILED);
        assertThat(report.getReason()).contains("mounts.source: \"/etc\" (expected: below one of drivers.mounts");
    }

    @Test
    void aCommandThatTheImageDoesNotHaveIsTold() {
        DesiredTask.Builder task = image("", group -> {}).toBuilder();
        task.getGroupBuilder().clearCommand().addCommand("no-such-program");
        TaskReport report = ended(task.build());
        assertThat(report.getState()).isEqualTo(TaskState.TASK_STATE_FAILED);
        assertThat(output("stderr")).contains("no-such-program");
    }
}
