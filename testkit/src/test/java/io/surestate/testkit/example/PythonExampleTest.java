package io.surestate.testkit.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.surestate.testkit.cluster.Api;
import io.surestate.testkit.cluster.ClusterLayout;
import io.surestate.testkit.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documented Python program at work, where Debian's python3-grpcio, protobuf-compiler and protobuf-compiler-grpc are installed. */
class PythonExampleTest {
    /** Debian's, which sees the packages of Debian. */
    private static final String PYTHON = "/usr/bin/python3";

    private static final long RUN_SECONDS_MAX = 90;

    @TempDir
    private Path folder;

    private record Ran(int exit, String output) {}

    private Ran run(Map<String, String> environment, List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException noSuchProgram) {
            return new Ran(-1, String.valueOf(noSuchProgram.getMessage()));
        }
        boolean over = process.waitFor(RUN_SECONDS_MAX, TimeUnit.SECONDS);
        process.destroyForcibly();
        return new Ran(over ? process.exitValue() : -2, Files.readString(output, StandardCharsets.UTF_8));
    }

    private void assumeInstalled(String what, String... command) throws IOException, InterruptedException {
        Ran ran = run(Map.of(), List.of(command));
        assumeTrue(ran.exit() == 0, what + " is not installed: " + ran.output());
    }

    private Path generateStubs() throws IOException, InterruptedException {
        Path protos = Repository.file("proto/src/main/protobuf");
        Path stubs = Files.createDirectory(folder.resolve("stubs"));
        List<String> command = new ArrayList<>(
                List.of("protoc", "-I", protos.toString(), "--python_out=" + stubs, "--grpc_python_out=" + stubs));
        command.add("--plugin=protoc-gen-grpc_python=/usr/bin/grpc_python_plugin");
        try (Stream<Path> files = Files.walk(protos.resolve("surestate/api"))) {
            files.filter(file -> file.toString().endsWith(".proto"))
                    .map(Path::toString)
                    .forEach(command::add);
        }
        Ran generated = run(Map.of(), command);
        assertThat(generated.exit()).as(generated.output()).isZero();
        return stubs;
    }

    @Test
    void listsHoldsCommitsAndWatches() throws Exception {
        assumeInstalled("python3-grpcio", PYTHON, "-c", "import grpc");
        assumeInstalled("protobuf-compiler", "protoc", "--version");
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/grpc_python_plugin")), "protobuf-compiler-grpc is not installed");
        Path stubs = generateStubs();
        ClusterLayout layout = ClusterLayout.of(folder.resolve("cluster"), 1);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startFakeNodes("fakes", "2x8");
            await().atMost(Duration.ofSeconds(60)).until(() -> api.nodes().getNodesCount() == 2);
            Ran program = run(
                    Map.of("PYTHONPATH", stubs.toString()),
                    List.of(
                            PYTHON,
                            Repository.file("testkit/src/test/python/own_scheduler.py")
                                    .toString(),
                            layout.endpoint(0).toString()));
            assertThat(program.exit()).as(program.output()).isZero();
            assertThat(program.output())
                    .contains(
                            "listed 2 nodes at revision ",
                            "hold is HOLD_STATE_CONFIRMED",
                            "job is JOB_PHASE_PENDING",
                            "committed",
                            "job is JOB_PHASE_RUNNING",
                            "job is JOB_PHASE_SUCCEEDED",
                            "job is over",
                            "released 1");
        }
    }
}
