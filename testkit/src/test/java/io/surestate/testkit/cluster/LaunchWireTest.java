package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.surestate.api.Limits;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.ExecEnd;
import io.surestate.api.v1.ExecResponse;
import io.surestate.api.v1.ExecStart;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskState;
import io.surestate.api.v1.Terminal;
import io.surestate.client.ExecCall;
import io.surestate.client.SurestateException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Gangs over two nodes, commands within their tasks, and MPI, on three servers and two agents as processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LaunchWireTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String UNTIL_STOPPED = "while :; do sleep 1; done";
    /** Adds up the ranks, without a compiler or a binding: OpenMPI's objects are symbols, MPICH's are numbers. */
    private static final String SUM = """
            import ctypes, os, sys
            lib = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
            if sys.argv[2] == "symbols":
                world, number, plus = (ctypes.byref(ctypes.c_char.in_dll(lib, name))
                    for name in ("ompi_mpi_comm_world", "ompi_mpi_int", "ompi_mpi_op_sum"))
            else:
                world, number, plus = (ctypes.c_int(value) for value in (0x44000000, 0x4c000405, 0x58000003))
            lib.MPI_Init(None, None)
            rank, total = ctypes.c_int(), ctypes.c_int()
            lib.MPI_Comm_rank(world, ctypes.byref(rank))
            lib.MPI_Allreduce(ctypes.byref(rank), ctypes.byref(total), 1, number, plus, world)
            print(f"sum {total.value} in task {os.environ['SURESTATE_INDEX']} of {os.environ['SURESTATE_TOKEN']}\\n", end="", flush=True)
            lib.MPI_Finalize()
            """;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path folder;

    private ProcessCluster cluster;
    private List<Api> servers;
    private Api api;

    @BeforeAll
    void start() {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        cluster = ProcessCluster.start(layout);
        cluster.startAgent("n1", "0", "1Gi");
        cluster.startAgent("n2", "1", "1Gi");
        api = Api.of(layout);
        servers = new ArrayList<>();
        for (int server = 0; server < layout.size(); server++) {
            servers.add(new Api(List.of(layout.endpoint(server))));
        }
        await().atMost(PATIENCE).ignoreExceptions().until(() -> api.readyNodes() == 2);
    }

    @AfterAll
    void end() {
        servers.forEach(Api::close);
        api.close();
        cluster.close();
    }

    private record Said(String output, String error, ExecEnd end) {}

    private static Said run(Api server, ExecStart.Builder start, String input) {
        try (ExecCall call =
                server.client().exec(start.setInput(!input.isEmpty()).build(), PATIENCE)) {
            if (!input.isEmpty()) {
                call.input(ByteString.copyFromUtf8(input));
                call.endInput();
            }
            return listen(call);
        }
    }

    private static Said listen(ExecCall call) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream error = new ByteArrayOutputStream();
        while (true) {
            ExecResponse answer = call.next();
            if (answer.hasEnd()) {
                return new Said(
                        output.toString(StandardCharsets.UTF_8),
                        error.toString(StandardCharsets.UTF_8),
                        answer.getEnd());
            }
            output.writeBytes(answer.getOutput().toByteArray());
            error.writeBytes(answer.getError().toByteArray());
        }
    }

    private static ExecStart.Builder shell(String job, String script) {
        return ExecStart.newBuilder().setJob(job).addAllCommand(List.of("sh", "-c", script));
    }

    private void submit(String name, int count, Map<String, String> env, String script) {
        TaskGroup.Builder group = TaskGroup.newBuilder()
                .setName("worker")
                .setCount(count)
                .setResources(Resources.newBuilder().setCpuMillicores(500).setMemoryBytes(400L << 20))
                .addAllCommand(List.of("sh", "-c", script));
        new TreeMap<>(env)
                .forEach((key, value) ->
                        group.addEnv(EnvVar.newBuilder().setName(key).setValue(value)));
        api.submit(Job.newBuilder()
                .setName(name)
                .setSpec(JobSpec.newBuilder().addGroups(group))
                .build());
    }

    private void awaitRunning(String name) {
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> api.job(name).getTasksList().stream()
                        .allMatch(task -> task.getState() == TaskState.TASK_STATE_RUNNING));
    }

    private void stop(String name) {
        api.cancel(name);
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> api.job(name).getJob().getStatus().getPhase() == JobPhase.JOB_PHASE_CANCELLED);
    }

    private static boolean runs(String mark) {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .anyMatch(line -> line.endsWith("sleep " + mark));
    }

    @Test
    void everyServerRunsCommandsWithinTasksThatKnowTheirRanks() {
        submit("gang", 4, Map.of("MASTER_PORT", "77"), UNTIL_STOPPED);
        awaitRunning("gang");
        for (Api server : servers) {
            assertThat(api.job("gang").getTasksList()).hasSize(4).allSatisfy(task -> {
                Said said = run(
                        server,
                        shell(
                                        "gang",
                                        "echo $RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE $SLURMD_NODENAME $MASTER_PORT; pwd")
                                .setGroup("worker")
                                .setIndex(task.getIndex()),
                        "");
                assertThat(said.output().lines())
                        .hasSize(2)
                        .first()
                        .asString()
                        .startsWith(task.getIndex() + "/4 ")
                        .endsWith("/2 " + task.getNode() + " 77");
                assertThat(said.output()).contains("/tasks/" + task.getAllocationId() + "/work");
            });
        }
        Said said =
                run(servers.get(1), shell("gang", "cat; echo oh >&2; exit 7").setNode("n2"), "some words");
        assertThat(said)
                .isEqualTo(new Said(
                        "some words",
                        "oh\n",
                        ExecEnd.newBuilder().setExitCode(7).build()));
        assertThat(run(servers.get(2), shell("gang", "head -c 3000000 /dev/zero | tr '\\0' x"), "")
                        .output())
                .hasSize(3_000_000);
        Said terminal = run(
                api,
                shell("gang", "tty; stty size; echo $TERM")
                        .setTerminal(Terminal.newBuilder()
                                .setType("vt100")
                                .setRows(33)
                                .setColumns(99)),
                "");
        assertThat(terminal.output()).contains("/dev/pts/").contains("33 99").contains("vt100");
        stop("gang");
    }

    @Test
    void aCommandEndsWithItsCallerAndWithItsTask() throws InterruptedException {
        submit("held", 1, Map.of(), UNTIL_STOPPED);
        awaitRunning("held");
        ExecCall call =
                servers.get(0).client().exec(shell("held", "exec sleep 98761").build(), PATIENCE);
        await().atMost(PATIENCE).until(() -> runs("98761"));
        call.close();
        await().atMost(PATIENCE).until(() -> !runs("98761"));
        try (ExecCall other = servers.get(1)
                .client()
                .exec(shell("held", "sleep 98762; sleep 98763").build(), PATIENCE)) {
            await().atMost(PATIENCE).until(() -> runs("98762"));
            stop("held");
            assertThat(listen(other).end().getReason()).contains("the task ended");
        }
        await().atMost(PATIENCE).until(() -> !runs("98762") && !runs("98763"));
        assertThatThrownBy(() -> run(api, shell("held", "true"), ""))
                .isInstanceOf(SurestateException.class)
                .hasMessageContaining("does not run");
    }

    @Test
    void aNodeRunsABoundedNumberOfCommandsAtOneTime() {
        submit("busy", 1, Map.of(), UNTIL_STOPPED);
        awaitRunning("busy");
        List<ExecCall> calls = new ArrayList<>();
        for (int number = 0; number < Limits.EXECS_PER_NODE_MAX; number++) {
            calls.add(api.client().exec(shell("busy", "exec sleep 98764").build(), PATIENCE));
        }
        assertThatThrownBy(() -> run(api, shell("busy", "true"), "")).hasMessageContaining("expected: fewer");
        calls.get(0).close();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> run(api, shell("busy", "echo well"), "").output().equals("well\n"));
        calls.forEach(ExecCall::close);
        await().atMost(PATIENCE).until(() -> !runs("98764"));
        stop("busy");
    }

    @Test
    void openMpiStartsItsRanksInTheJobsTasksOnBothNodes() throws IOException {
        Optional<Path> library = library("libmpi.so.40");
        assumeTrue(
                library.isPresent() && Files.exists(Path.of("/usr/bin/mpirun.openmpi")),
                "openmpi-bin is not installed");
        Map<String, String> env = new TreeMap<>(ssctl());
        env.putAll(Map.of(
                "OMPI_ALLOW_RUN_AS_ROOT", "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
                "OMPI_MCA_btl", "tcp,self",
                "OMPI_MCA_btl_tcp_if_include", "lo",
                "OMPI_MCA_oob_tcp_if_include", "lo"));
        sums("openmpi", env, "mpirun.openmpi -np 4 python3 " + program() + " " + library.get() + " symbols");
    }

    @Test
    void mpichStartsItsRanksInTheJobsTasksOnBothNodes() throws IOException {
        Optional<Path> library = library("libmpich.so.12");
        assumeTrue(library.isPresent() && Files.exists(Path.of("/usr/bin/mpirun.mpich")), "mpich is not installed");
        Map<String, String> env = new TreeMap<>(ssctl());
        env.put("HYDRA_IFACE", "lo");
        sums(
                "mpich",
                env,
                "mpirun.mpich -localhost 127.0.0.1 -n 4 python3 " + program() + " " + library.get() + " numbers");
    }

    private void sums(String name, Map<String, String> env, String mpirun) {
        Path output = folder.resolve(name + ".out");
        submit(
                name,
                4,
                env,
                "if [ $RANK = 0 ]; then " + mpirun + " >" + output + " 2>&1; touch " + output + ".done; fi; "
                        + UNTIL_STOPPED);
        await().atMost(PATIENCE).until(() -> Files.exists(Path.of(output + ".done")));
        // Each rank has its own node's token, by which what it starts is found and killed.
        assertThat(output).content().satisfies(printed -> {
            List<String> sums = printed.lines()
                    .filter(line -> line.startsWith("sum "))
                    .sorted()
                    .toList();
            assertThat(sums).hasSize(4).allMatch(line -> line.startsWith("sum 6 "));
            assertThat(sums.stream().distinct()).hasSize(2);
        });
        assertThat(api.job(name).getTasksList()).extracting(Task::getNode).contains("n1", "n2");
        stop(name);
    }

    private static Optional<Path> library(String name) throws IOException {
        try (Stream<Path> found = Files.find(Path.of("/usr/lib"), 6, (path, kind) -> path.endsWith(name))) {
            return found.findFirst();
        }
    }

    private static Path program() throws IOException {
        return Files.writeString(folder.resolve("sum.py"), SUM);
    }

    /** The program as it is on this test's class path. */
    private static Map<String, String> ssctl() throws IOException {
        Path script = folder.resolve("ssctl");
        Files.writeString(
                script,
                "#!/bin/sh\nexec " + Path.of(System.getProperty("java.home"), "bin", "java")
                        + " -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path")
                        + "' io.surestate.cli.SsctlMain \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Map.of("SSCTL", script.toString());
    }
}
