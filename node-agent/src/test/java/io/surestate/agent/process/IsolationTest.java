package io.surestate.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.agent.cgroup.ControlGroups;
import io.surestate.agent.cgroup.KernelGroups;
import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.Tasks;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel holds real tasks to. */
class IsolationTest {
    private static final long MEBI = 1 << 20;
    private static final NodeSpec NODE = NodeSpec.newBuilder()
            .addDevices(device(0, "GPU-a", "/dev/full"))
            .addDevices(device(1, "GPU-b", "/dev/zero"))
            .build();

    private final String nodeId = UUID.randomUUID().toString();
    private final ProcessScans scans = new ProcessScans(new ProcessTable(Path.of("/proc")), System::nanoTime);

    @TempDir
    Path root;

    private ControlGroups groups;
    private ProcessDriver driver;

    private static Device device(int ordinal, String id, String file) {
        return Device.newBuilder()
                .setOrdinal(ordinal)
                .setVendor("NVIDIA")
                .setHardwareId(id)
                .addFiles(file)
                .build();
    }

    @BeforeEach
    void open() {
        groups = KernelGroups.orSkip(nodeId);
        driver = driver("one");
    }

    private ProcessDriver driver(String incarnation) {
        return new ProcessDriver(
                RealProcesses.settings(
                        root, nodeId, incarnation, Accounts.own(), new Isolation(Optional.of(groups), () -> NODE, 40)),
                scans,
                new ProcessDriver.Workers(Runnable::run, Runnable::run, Runnable::run));
    }

    @AfterEach
    void endsAllAndLeavesNoGroup() throws IOException {
        driver.tasks().forEach(task -> driver.stop(task.allocationId(), 0));
        await("all ended", () -> driver.tasks().stream().allMatch(KnownTask::ended));
        driver.tasks().forEach(task -> driver.forget(task.allocationId()));
        assertThat(groups.present()).isEmpty();
        driver.close();
        await(
                "launchers gone",
                () -> ProcessHandle.allProcesses()
                        .noneMatch(process ->
                                process.info().commandLine().orElse("").contains(root.toString())));
    }

    private void await(String what, java.util.function.BooleanSupplier condition) {
        RealProcesses.await(what, () -> {
            driver.poll(RealProcesses.nowMillis());
            return condition.getAsBoolean();
        });
    }

    private TaskReport ended(DesiredTask task) {
        driver.start(task);
        String id = task.getAllocation().getId();
        await(id + " ended", () -> known(id).filter(KnownTask::ended).isPresent());
        return known(id).orElseThrow().report();
    }

    private Optional<KnownTask> known(String id) {
        return driver.tasks().stream()
                .filter(task -> task.allocationId().equals(id))
                .findFirst();
    }

    private String output(String id) throws IOException {
        try (Stream<Path> parts = Files.list(root.resolve("tasks").resolve(id).resolve("out"))) {
            return parts.filter(part -> part.getFileName().toString().startsWith("stdout"))
                    .map(IsolationTest::text)
                    .collect(Collectors.joining());
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static DesiredTask holding(DesiredTask task, int core, long memoryBytes, int device) {
        DesiredTask.Builder builder = task.toBuilder();
        builder.getAllocationBuilder()
                .getClaimBuilder()
                .addCores(CoreShare.newBuilder().setCoreId(core).setMilli(1_000))
                .setMemoryBytes(memoryBytes)
                .addDevices(DeviceShare.newBuilder().setOrdinal(device).setMilli(1_000));
        return builder.build();
    }

    @Test
    void aTaskRunsOnItsCoresAndSeesItsDevicesOnly() throws IOException {
        String script = "grep Cpus_allowed_list /proc/self/status; echo $CUDA_VISIBLE_DEVICES;"
                + " head -c 3 /dev/zero | wc -c; head -c 3 /dev/full 2>/dev/null | wc -c";
        TaskReport report = ended(holding(Tasks.shell(1, script), 1, 64 * MEBI, 1));
        assertThat(report.getState()).isEqualTo(TaskState.TASK_STATE_SUCCEEDED);
        assertThat(output("a-1").lines()).containsExactly("Cpus_allowed_list:\t1", "GPU-b", "3", "0");
    }

    @Test
    void whoNeedsMoreMemoryThanItHoldsIsKilledAndToldWhy() {
        TaskReport report = ended(
                holding(Tasks.shell(1, "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo done"), 0, 32 * MEBI, 1));
        assertThat(report.getState()).isEqualTo(TaskState.TASK_STATE_FAILED);
        assertThat(report.getReason())
                .isEqualTo("killed by signal 9: it needed more memory than the 33554432 bytes that it holds");
    }

    @Test
    void aForkBombMeetsItsBoundAndIsKilledWhole() {
        driver.start(Tasks.command(1, List.of("perl", "-e", "$SIG{TERM} = 'IGNORE'; fork while 1")));
        await("many processes", () -> processes("a-1") == 40);
        driver.stop("a-1", 200);
        await("ended", () -> known("a-1").filter(KnownTask::ended).isPresent());
        assertThat(processes("a-1")).isZero();
    }

    @Test
    void whoLeavesSessionAndTokenIsStillOfTheTask() {
        driver.start(Tasks.shell(1, "env -i setsid sleep 1000 & sleep 0.2; exit 0"));
        await("the sleeper", () -> processes("a-1") > 0);
        await("ended", () -> known("a-1").filter(KnownTask::ended).isPresent());
        assertThat(processes("a-1")).isZero();
    }

    @Test
    void aLaterAgentKnowsTheGroupAgain() {
        driver.start(Tasks.shell(1, "env -i setsid sleep 1000 & wait"));
        await("running", () -> processes("a-1") >= 2);
        driver.close();
        driver = driver("two");
        assertThat(known("a-1")).isPresent();
        driver.stop("a-1", 100);
        await("ended", () -> known("a-1").filter(KnownTask::ended).isPresent());
        assertThat(processes("a-1")).isZero();
    }

    @Test
    void groupsOfNobodyAreRemovedAtTheStart() throws IOException {
        groups.of("gone").create(new Isolation(Optional.of(groups), () -> NODE, 0).bounds(Tasks.shell(9, "true")));
        driver.close();
        driver = driver("two");
        assertThat(groups.present()).doesNotContain("gone");
    }

    private int processes(String id) {
        try {
            return groups.of(id).processes().size();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
