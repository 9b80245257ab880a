package io.surestate.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.agent.driver.TaskDriver;
import io.surestate.agent.driver.TaskDriverContract;
import io.surestate.agent.driver.Tasks;
import io.surestate.api.Limits;
import io.surestate.api.v1.CheckpointSignal;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Gang;
import io.surestate.api.v1.GangNode;
import io.surestate.api.v1.Rank;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessDriverTest extends TaskDriverContract {
    private static final int BURST = 500;
    private static final String ENDLESS = "while :; do sleep 0.05; done";
    private static final String PUBLISH =
            "i=${SURESTATE_CHECKPOINT##*/}; i=${i:-0}; while :; do sleep 0.05; [ -n \"$SURESTATE_CHECKPOINT_DIR\" ] || continue;"
                    + " i=$((i+1)); : >\"$SURESTATE_CHECKPOINT_DIR/tmp\"; mv \"$SURESTATE_CHECKPOINT_DIR/tmp\""
                    + " \"$SURESTATE_CHECKPOINT_DIR/$i\"; done";

    /** Publishes one step more whenever it is asked. */
    private static final String PUBLISH_WHEN_ASKED =
            "i=0; trap 'i=$((i+1)); : >\"$SURESTATE_CHECKPOINT_DIR/$i\"' USR1; : >ready; " + ENDLESS;

    private final String nodeId = UUID.randomUUID().toString();
    private final ProcessScans scans = new ProcessScans(new ProcessTable(Path.of("/proc")), System::nanoTime);

    @TempDir
    Path root;

    private ProcessDriver driver;

    @BeforeEach
    void open() {
        driver = start("one");
    }

    @AfterEach
    void killAll() {
        await(d -> d.tasks().stream().noneMatch(task -> task.report().getState() == TaskState.TASK_STATE_STARTING));
        driver.tasks().forEach(task -> driver.stop(task.allocationId(), 0));
        await(d -> d.tasks().stream().allMatch(task -> task.ended()));
        driver.close();
        // Launchers and output writers still write into the folder that is about to be removed.
        await(d -> ProcessHandle.allProcesses()
                .noneMatch(process -> process.info().commandLine().orElse("").contains(root.toString())));
    }

    private ProcessDriver restarted(String incarnation) {
        driver.close();
        return start(incarnation);
    }

    private ProcessDriver start(String incarnation) {
        return new ProcessDriver(
                RealProcesses.settings(root, nodeId, incarnation),
                scans,
                new ProcessDriver.Workers(Runnable::run, Runnable::run, Runnable::run));
    }

    @Override
    protected TaskDriver driver() {
        return driver;
    }

    @Override
    protected DesiredTask ending(int number, int exitCode) {
        return Tasks.shell(number, "exit " + exitCode);
    }

    @Override
    protected DesiredTask endless(int number) {
        return Tasks.shell(number, PUBLISH);
    }

    @Override
    protected DesiredTask stubborn(int number) {
        return Tasks.shell(number, "trap '' TERM; " + ENDLESS);
    }

    @Override
    protected void await(Predicate<TaskDriver> condition) {
        RealProcesses.await("a state of the driver", () -> {
            driver.poll(RealProcesses.nowMillis());
            return condition.test(driver);
        });
    }

    @Test
    void tellsASignalFromAnExitCode() {
        driver.start(Tasks.shell(1, "kill -9 $$"));
        driver.start(Tasks.shell(2, "exit 137"));
        driver.start(Tasks.shell(3, "kill -2 $$"));
        awaitState("a-1", TaskState.TASK_STATE_FAILED);
        awaitState("a-2", TaskState.TASK_STATE_FAILED);
        awaitState("a-3", TaskState.TASK_STATE_FAILED);
        assertThat(report("a-1").getSignal()).isEqualTo(9);
        assertThat(report("a-1").getExitCode()).isZero();
        assertThat(report("a-1").getReason()).isEqualTo("killed by signal 9");
        assertThat(report("a-2").getSignal()).isZero();
        assertThat(report("a-2").getExitCode()).isEqualTo(137);
        assertThat(report("a-3").getSignal()).isEqualTo(2);
    }

    @Test
    void aTaskOfAGangFindsItsRankItsHostFileAndWhatTheUserSaysInstead() throws IOException {
        DesiredTask task = Tasks.withEnv(
                Tasks.shell(
                        1,
                        "cat $SURESTATE_HOSTFILE $HYDRA_HOST_FILE; echo $RANK $WORLD_SIZE $MASTER_ADDR $MASTER_PORT"),
                "MASTER_PORT",
                "7");
        driver.start(task.toBuilder()
                .setRank(Rank.newBuilder().setGlobal(2).setNode(1))
                .setGang(Gang.newBuilder()
                        .setJobUid("7-0")
                        .setTasks(3)
                        .addNodes(GangNode.newBuilder().setName("n1").setSlots(2))
                        .addNodes(GangNode.newBuilder().setName("n2").setSlots(1)))
                .build());
        awaitState("a-1", TaskState.TASK_STATE_SUCCEEDED);
        assertThat(Files.readString(root.resolve("tasks/a-1/out/stdout.000000000")))
                .isEqualTo("n1 slots=2\nn2 slots=1\nn1:2\nn2:1\n2 3 n1 7\n");
    }

    @Test
    void namesACommandThatDoesNotExist() {
        driver.start(Tasks.command(1, List.of("no-such-program", "x")));
        awaitState("a-1", TaskState.TASK_STATE_FAILED);
        assertThat(report("a-1").getReason()).isEqualTo("exit code 127: command not found: no-such-program");
    }

    @Test
    void refusesATaskThatCannotBeWrittenDown() {
        driver.start(Tasks.command(1, List.of("echo", "a\0b")));
        assertThat(report("a-1").getState()).isEqualTo(TaskState.TASK_STATE_FAILED);
        assertThat(report("a-1").getReason()).contains("NUL");
        driver.forget("a-1");
        assertThat(driver.tasks()).isEmpty();
    }

    @Test
    void givesTheTaskItsOwnEnvironmentAndNothingElse() {
        DesiredTask task = Tasks.withEnv(Tasks.command(1, List.of("env")), "TARGET", "it's 20");
        driver.start(Tasks.withCheckpoints(task, 5));
        awaitState("a-1", TaskState.TASK_STATE_SUCCEEDED);
        Path checkpoints = root.resolve("checkpoints/7-0/worker/1");
        assertThat(output("a-1", "stdout").lines())
                .containsExactlyInAnyOrder(
                        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                        "HOME=/tmp",
                        "LANG=C.UTF-8",
                        "TARGET=it's 20",
                        "SSCTL_SERVER=127.0.0.1:7300",
                        "SURESTATE_JOB=j",
                        "SURESTATE_TENANT=default",
                        "SURESTATE_JOB_UID=7-0",
                        "SURESTATE_GROUP=worker",
                        "SURESTATE_INDEX=1",
                        "SURESTATE_ATTEMPT=1",
                        "SURESTATE_EPOCH=101",
                        "SURESTATE_COUNT=4",
                        "SURESTATE_CHECKPOINT=" + checkpoints + "/5",
                        "SURESTATE_CHECKPOINT_DIR=" + checkpoints,
                        "SURESTATE_CHECKPOINT_INTERVAL_MILLIS=100",
                        "SURESTATE_TOKEN=a-1/101/" + nodeId);
        assertThat(checkpoints).isDirectory();
    }

    private static DesiredTask asked(DesiredTask task, long intervalMillis, long graceMillis) {
        DesiredTask.Builder asked = Tasks.withCheckpoints(task, 0).toBuilder();
        asked.getCheckpointBuilder()
                .setIntervalMillis(intervalMillis)
                .setSignal(CheckpointSignal.CHECKPOINT_SIGNAL_SIGUSR1)
                .setGraceMillis(graceMillis);
        return asked.build();
    }

    private void awaitReady(String allocation) {
        await(d -> Files.exists(root.resolve("tasks/" + allocation + "/work/ready")));
    }

    @Test
    void aTaskIsAskedForCheckpointsAtTheIntervalByItsSignal() {
        driver.start(asked(Tasks.shell(1, PUBLISH_WHEN_ASKED), 200, 60_000));
        await(d -> report("a-1").getCheckpointStep() >= 3);
        assertThat(report("a-1").getState()).isEqualTo(TaskState.TASK_STATE_RUNNING);
    }

    @Test
    void aPlannedStopWaitsForTheCheckpointThatItAskedFor() {
        driver.start(asked(Tasks.shell(1, PUBLISH_WHEN_ASKED), 3_600_000, 3_600_000));
        awaitReady("a-1");
        driver.retire("a-1", 5_000);
        awaitState("a-1", TaskState.TASK_STATE_CANCELLED);
        assertThat(report("a-1").getCheckpointStep()).isEqualTo(1);
    }

    @Test
    void aPlannedStopWaitsNoLongerThanItsGraceAndAnyOtherStopNotAtAll() {
        String ignores = "trap : USR1; : >ready; " + ENDLESS;
        driver.start(asked(Tasks.shell(1, ignores), 3_600_000, 300));
        driver.start(asked(Tasks.shell(2, ignores), 3_600_000, 3_600_000));
        driver.start(asked(Tasks.shell(3, ignores), 3_600_000, 3_600_000));
        Stream.of("a-1", "a-2", "a-3").forEach(this::awaitReady);
        driver.retire("a-1", 5_000);
        driver.retire("a-2", 5_000);
        driver.retire("a-3", 5_000);
        awaitState("a-1", TaskState.TASK_STATE_CANCELLED);
        assertThat(report("a-2").getState()).isEqualTo(TaskState.TASK_STATE_RUNNING);
        driver.stop("a-2", 5_000);
        driver.fence("a-3");
        awaitState("a-2", TaskState.TASK_STATE_CANCELLED);
        awaitState("a-3", TaskState.TASK_STATE_LOST);
    }

    @Test
    void aTaskThatDoesNotCatchTheSignalIsNotAsked() {
        driver.start(asked(Tasks.shell(1, ": >ready; " + ENDLESS), 100, 3_600_000));
        awaitReady("a-1");
        long begun = RealProcesses.nowMillis();
        await(d -> RealProcesses.nowMillis() - begun > 500);
        assertThat(report("a-1").getState()).isEqualTo(TaskState.TASK_STATE_RUNNING);
        driver.retire("a-1", 5_000);
        awaitState("a-1", TaskState.TASK_STATE_CANCELLED);
    }

    @Test
    void putsAsideCheckpointsThatNobodyCommitted() throws IOException {
        Path folder = Files.createDirectories(root.resolve("checkpoints/7-0/worker/1"));
        Files.createDirectory(folder.resolve("5"));
        Files.createDirectory(folder.resolve("6"));
        driver.start(Tasks.withCheckpoints(Tasks.shell(1, ENDLESS), 5));
        await(d -> report("a-1").getCheckpointStep() > 0);
        assertThat(report("a-1").getCheckpointStep()).isEqualTo(5);
        assertThat(folder.resolve("6")).doesNotExist();
        assertThat(folder.resolve(".stale-6-before-attempt-1")).isDirectory();
    }

    @Test
    void laterAgentTakesTheTaskBackWithItsProcessAndItsExitStatus() {
        driver.start(Tasks.shell(1, "while [ ! -e go ]; do sleep 0.02; done; exit 4"));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        long pid = report("a-1").getPid();
        driver = restarted("two");
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        assertThat(report("a-1").getPid()).isEqualTo(pid);
        touch(root.resolve("tasks/a-1/work/go"));
        driver = restarted("three");
        awaitState("a-1", TaskState.TASK_STATE_FAILED);
        assertThat(report("a-1").getExitCode()).isEqualTo(4);
        driver = restarted("four");
        awaitState("a-1", TaskState.TASK_STATE_FAILED);
    }

    @Test
    void laterAgentKnowsThatAStopWasAskedFor() {
        driver.start(endless(1));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        driver.stop("a-1", 10_000);
        driver.poll(RealProcesses.nowMillis());
        driver = restarted("two");
        awaitState("a-1", TaskState.TASK_STATE_CANCELLED);
    }

    @Test
    void aStartThatNeverLeftTheJournalIsNoTask() throws IOException {
        DesiredTask task = endless(1);
        TaskFolder folder = new TaskFolder(Files.createDirectories(root.resolve("tasks/a-1")));
        Journal.write(folder, new Journal.Start(task, "zero", "boot"), "exit 1\n");
        driver = restarted("two");
        assertThat(driver.tasks()).isEmpty();
        assertThat(folder.claim("zero")).isDirectory();
    }

    @Test
    void tasksOfAnEarlierBootAreLost() throws IOException {
        TaskFolder folder = new TaskFolder(Files.createDirectories(root.resolve("tasks/a-1")));
        Journal.write(folder, new Journal.Start(endless(1), "zero", "an earlier boot"), "exit 1\n");
        driver = restarted("two");
        assertThat(report("a-1").getState()).isEqualTo(TaskState.TASK_STATE_LOST);
    }

    @Test
    void aDamagedJournalIsPutAsideAndTheProcessTableBelieved() throws IOException {
        driver.start(Tasks.shell(1, "while [ ! -e go ]; do sleep 0.02; done; exit 4"));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        TaskReport before = report("a-1");
        Files.writeString(root.resolve("tasks/a-1/task.journal"), "nonsense that is no journal");
        driver = restarted("two");
        assertThat(root.resolve("tasks/a-1/task.journal.corrupt")).exists();
        driver.poll(RealProcesses.nowMillis());
        driver.poll(RealProcesses.nowMillis());
        assertThat(report("a-1")).isEqualTo(before);
        touch(root.resolve("tasks/a-1/work/go"));
        awaitState("a-1", TaskState.TASK_STATE_FAILED);
        assertThat(report("a-1").getExitCode()).isEqualTo(4);
    }

    @Test
    void aDaemonThatLeftTheSessionIsStillPartOfTheTask() throws IOException {
        driver.start(Tasks.shell(1, "setsid sh -c 'echo $$ >daemon; exec sleep 1000' & sleep 0.3; exit 0"));
        RealProcesses.await("the daemon", () -> launchRecord("a-1").exit().isPresent());
        long daemon = Long.parseLong(
                Files.readString(root.resolve("tasks/a-1/work/daemon")).strip());
        assertThat(RealProcesses.lives(daemon)).isTrue();
        awaitState("a-1", TaskState.TASK_STATE_SUCCEEDED);
        assertThat(RealProcesses.lives(daemon)).isFalse();
    }

    @Test
    void childThatOutlivesItsKilledLauncherHoldsThePlaceUntilItIsGone() throws IOException {
        driver.start(Tasks.shell(1, "trap '' TERM; " + ENDLESS));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        long pid = report("a-1").getPid();
        long launcher = launchRecord("a-1").launcher().orElseThrow().pid();
        ProcessHandle.of(launcher).orElseThrow().destroyForcibly();
        awaitState("a-1", TaskState.TASK_STATE_FAILED);
        assertThat(RealProcesses.lives(pid)).isFalse();
        assertThat(report("a-1").getReason()).contains("launcher was killed");
    }

    @Test
    void keepsTheNewestPartsOfAnEndlessOutput() throws IOException {
        long bytes = 3 * Limits.OUTPUT_FILE_BYTES_MAX + 1_000;
        driver.start(Tasks.shell(1, "head -c " + bytes + " /dev/zero; echo done"));
        awaitState("a-1", TaskState.TASK_STATE_SUCCEEDED);
        Path out = root.resolve("tasks/a-1/out");
        assertThat(out.resolve("stdout.000000001")).doesNotExist();
        assertThat(Files.size(out.resolve("stdout.000000002"))).isEqualTo(Limits.OUTPUT_FILE_BYTES_MAX);
        assertThat(Files.size(out.resolve("stdout.000000003"))).isEqualTo(1_005);
    }

    @Test
    void outputIsThereWhileTheTaskRuns() {
        driver.start(Tasks.shell(1, "echo hello; echo bad >&2; " + ENDLESS));
        RealProcesses.await("output", () -> output("a-1", "stdout").equals("hello\n"));
        RealProcesses.await("output", () -> output("a-1", "stderr").equals("bad\n"));
    }

    @Test
    void aForgottenTaskLeavesNothingButItsOutput() throws IOException {
        driver.start(Tasks.shell(1, "echo hello; echo rest >file"));
        awaitState("a-1", TaskState.TASK_STATE_SUCCEEDED);
        driver.forget("a-1");
        try (var entries = Files.list(root.resolve("tasks/a-1"))) {
            assertThat(entries.map(p -> p.getFileName().toString())).containsExactly("out");
        }
        driver = restarted("two");
        assertThat(driver.tasks()).isEmpty();
    }

    @Test
    void aTaskIsKeptOnTheCoresOfItsAllocation() {
        DesiredTask.Builder task = Tasks.command(1, List.of("nproc")).toBuilder();
        task.getAllocationBuilder()
                .getClaimBuilder()
                .addCores(CoreShare.newBuilder().setCoreId(0).setMilli(1_000));
        driver.start(task.build());
        awaitState("a-1", TaskState.TASK_STATE_SUCCEEDED);
        assertThat(output("a-1", "stdout")).isEqualTo("1\n");
    }

    @Test
    void aTaskInheritsItsOutputsAndNoOtherFileAndNoIgnoredSignal() {
        driver.start(Tasks.command(1, List.of("ls", "/proc/self/fd")));
        driver.start(Tasks.command(2, List.of("grep", "SigIgn", "/proc/self/status")));
        awaitState("a-1", TaskState.TASK_STATE_SUCCEEDED);
        awaitState("a-2", TaskState.TASK_STATE_SUCCEEDED);
        // The third is the folder that ls reads.
        assertThat(output("a-1", "stdout")).isEqualTo("0\n1\n2\n3\n");
        long ignored = Long.parseUnsignedLong(output("a-2", "stdout").strip().substring("SigIgn:\t".length()), 16);
        assertThat(ignored & 0x7fff_ffffL).isZero();
    }

    @Test
    void aBurstOfShortTasksLeavesNoProcessFileOrFolder() throws IOException {
        driver.start(Tasks.command(0, List.of("true")));
        awaitState("a-0", TaskState.TASK_STATE_SUCCEEDED);
        long files = openFiles();
        for (int number = 1; number <= BURST; number++) {
            driver.start(Tasks.command(number, List.of("true")));
        }
        await(d -> d.tasks().stream().allMatch(task -> task.ended()));
        assertThat(driver.tasks())
                .allMatch(task -> task.report().getState() == TaskState.TASK_STATE_SUCCEEDED)
                .allMatch(task -> task.report().getPid() > 0);
        driver.tasks().forEach(task -> driver.forget(task.allocationId()));
        assertThat(driver.tasks()).isEmpty();
        try (Stream<Path> folders = Files.list(root.resolve("tasks"))) {
            assertThat(folders).hasSize(Limits.OUTPUT_ATTEMPTS_KEPT);
        }
        assertThat(openFiles()).isLessThanOrEqualTo(files);
        RealProcesses.await("one process, the spawner", () -> {
            List<ProcessHandle> left = processesOfThisTest();
            return left.size() == 1 && left.get(0).children().findAny().isEmpty();
        });
    }

    @Test
    void aStartGoesOnWithTheNextSpawnerWhereOneWasKilled() {
        driver.start(Tasks.command(1, List.of("true")));
        awaitState("a-1", TaskState.TASK_STATE_SUCCEEDED);
        RealProcesses.await(
                "one process, the spawner", () -> processesOfThisTest().size() == 1);
        ProcessHandle spawner = processesOfThisTest().get(0);
        spawner.destroyForcibly();
        spawner.onExit().join();
        driver.start(Tasks.command(2, List.of("true")));
        awaitState("a-2", TaskState.TASK_STATE_SUCCEEDED);
    }

    @Test
    void aTaskLivesOnWhenTheSpawnerIsKilled() {
        driver.start(Tasks.shell(1, "while [ ! -e go ]; do sleep 0.02; done; echo late; exit 4"));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        long launcher = launchRecord("a-1").launcher().orElseThrow().pid();
        ProcessHandle spawner =
                ProcessHandle.of(launcher).orElseThrow().parent().orElseThrow();
        spawner.destroyForcibly();
        spawner.onExit().join();
        touch(root.resolve("tasks/a-1/work/go"));
        awaitState("a-1", TaskState.TASK_STATE_FAILED);
        assertThat(report("a-1").getExitCode()).isEqualTo(4);
        assertThat(output("a-1", "stdout")).isEqualTo("late\n");
    }

    @Test
    void aTaskThatIsAboutToBeginSeesThatItsLeaseEnded() throws IOException {
        TaskFolder folder = new TaskFolder(Files.createDirectories(root.resolve("tasks/a-1")));
        Files.createDirectories(folder.output());
        Files.createFile(folder.fenceMark());
        driver.start(Tasks.shell(1, "touch ran; " + ENDLESS));
        awaitState("a-1", TaskState.TASK_STATE_LOST);
        assertThat(report("a-1").getReason()).contains("lease");
        assertThat(folder.work().resolve("ran")).doesNotExist();
    }

    @Test
    void aStartWhoseLauncherDiedOnTheWayIsGivenUp() throws IOException {
        TaskFolder folder = new TaskFolder(Files.createDirectories(root.resolve("tasks/a-1")));
        Journal.write(folder, new Journal.Start(endless(1), "zero", "boot"), "exit 1\n");
        Files.writeString(folder.claim("zero"), "launcher 4194304 1\n");
        driver = restarted("two");
        long later = RealProcesses.nowMillis() + 20_000;
        driver.poll(RealProcesses.nowMillis());
        assertThat(report("a-1").getState()).isEqualTo(TaskState.TASK_STATE_STARTING);
        RealProcesses.await("the end", () -> {
            driver.poll(later);
            return report("a-1").getState() == TaskState.TASK_STATE_FAILED;
        });
        assertThat(report("a-1").getReason()).contains("launcher was killed");
        assertThat(folder.voidMark()).exists();
    }

    private List<ProcessHandle> processesOfThisTest() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(root.toString()))
                .toList();
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    @Test
    void oddWordsReachTheProgramAsTheyAre() {
        driver.start(Tasks.command(1, List.of("printf", "%s|", "it's", "$HOME `x`", "a\nb", "", "-n", "\\", "*")));
        awaitState("a-1", TaskState.TASK_STATE_SUCCEEDED);
        assertThat(output("a-1", "stdout")).isEqualTo("it's|$HOME `x`|a\nb||-n|\\|*|");
    }

    @Test
    void aMissingWorkingFolderIsNamed() {
        DesiredTask.Builder task = Tasks.shell(1, "true").toBuilder();
        task.getGroupBuilder().setWorkingDir("/no/such/folder");
        driver.start(task.build());
        awaitState("a-1", TaskState.TASK_STATE_FAILED);
        assertThat(report("a-1").getReason()).contains("126");
        assertThat(output("a-1", "stderr")).contains("/no/such/folder");
    }

    private LaunchRecord launchRecord(String allocationId) {
        try {
            return LaunchRecord.read(new TaskFolder(root.resolve("tasks/" + allocationId)).claim("one"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private String output(String allocationId, String name) {
        try {
            Path part = root.resolve("tasks/" + allocationId + "/out/" + name + ".000000000");
            return Files.exists(part) ? Files.readString(part) : "";
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void touch(Path file) {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
