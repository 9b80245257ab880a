package io.surestate.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.surestate.agent.driver.Tasks;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script under the shells that a machine may have as {@code sh}. */
class SpawnerScriptTest {
    @TempDir
    Path root;

    /** Older versions of bash keep what follows {@code <<} in a file. */
    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash --posix", "env BASH_COMPAT=50 bash --posix"})
    void startsATaskAndRecordsHowItEnded(String shell) throws IOException {
        assumeTrue(shell.equals("sh") || Files.isExecutable(Path.of("/bin/bash")), "no bash on this machine");
        TaskFolder killed = task("a-1", "printf 'a\\0b\\n'; echo bad >&2; kill -9 $$");
        TaskFolder ended = task("a-2", "exit 137");
        Path script = Launcher.install(ProcessDriver.class, "spawner.sh", root.resolve("lib"));
        Process spawner = new ProcessBuilder(
                        ("setsid " + shell + " " + script + " " + root.resolve("tasks") + " 1000").split(" ", -1))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (OutputStream lines = spawner.getOutputStream()) {
            lines.write("a-1 claim-x\n\na-2 claim-x\n".getBytes(StandardCharsets.US_ASCII));
        }
        awaitEnd(killed);
        awaitEnd(ended);
        assertThat(LaunchRecord.read(killed.claim("x")).exit()).contains(new Exit(0, 9));
        assertThat(LaunchRecord.read(ended.claim("x")).exit()).contains(new Exit(137, 0));
        assertThat(killed.output().resolve("stdout.000000000")).hasContent("a\0b\n");
        assertThat(killed.output().resolve("stderr.000000000")).hasContent("bad\n");
        assertThat(ended.output()).isEmptyDirectory();
    }

    private TaskFolder task(String id, String program) throws IOException {
        TaskFolder folder = new TaskFolder(root.resolve("tasks").resolve(id));
        Files.createDirectories(folder.work());
        Files.createDirectories(folder.output());
        String script = "cd work\nexec setsid env " + Tools.RESET_SIGNALS + " sh -c " + RunScript.quote(program) + "\n";
        Journal.write(folder, new Journal.Start(Tasks.command(1, List.of("x")), "x", "boot"), script);
        return folder;
    }

    /** The launcher waits for the copiers: when it is gone the outputs are complete. */
    private static void awaitEnd(TaskFolder folder) {
        RealProcesses.await("the end of " + folder.id(), () -> {
            try {
                LaunchRecord record = LaunchRecord.read(folder.claim("x"));
                return record.exit().isPresent()
                        && !new ProcessTable(Path.of("/proc"))
                                .isLive(record.launcher().orElseThrow());
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }
}
