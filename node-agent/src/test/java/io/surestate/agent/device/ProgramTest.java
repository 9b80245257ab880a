package io.surestate.agent.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With real programs. */
class ProgramTest {
    @TempDir
    Path root;

    @Test
    void saysWhatTheProgramPrintsInAPlainEnvironment() {
        assertThat(run("echo \"$1 $LC_ALL ${HOME:-homeless}\"", Duration.ofSeconds(20), 100, "word"))
                .isEqualTo(new Program.Output("word C homeless\n"));
    }

    @Test
    void aProgramThatIsNotThereIsMissing() {
        assertThat(new Program("no-such-tool", bounds(Duration.ofSeconds(1), 10)).run(List.of()))
                .isEqualTo(new Program.Missing());
    }

    @Test
    void aFailureNamesTheProgramItsCodeAndWhatItSaidLast() {
        assertThat(run("echo one; echo two >&2; exit 9", Duration.ofSeconds(20), 100))
                .isEqualTo(new Program.Failed("tool: exit code 9: two"));
    }

    @Test
    void aProgramThatHangsIsKilledWithAllThatItStarted() throws IOException {
        Program.Result result = run("sleep 1000 & echo $! >" + root + "/child; wait", Duration.ofMillis(700), 100);

        assertThat(result).isEqualTo(new Program.Failed("tool: no end within 700 ms"));
        long child = Long.parseLong(Files.readString(root.resolve("child")).strip());
        ProcessHandle.of(child).ifPresent(handle -> handle.onExit().join());
    }

    @Test
    void aProgramThatHoldsItsOutputOpenForAChildIsNotWaitedFor() {
        assertThat(run("sleep 3 & echo done", Duration.ofSeconds(20), 100)).isEqualTo(new Program.Output("done\n"));
    }

    @Test
    void outputBeyondTheBoundIsAFailure() {
        assertThat(run("yes", Duration.ofSeconds(20), 10_000))
                .isEqualTo(new Program.Failed("tool: more than 10000 bytes of output"));
    }

    @Test
    void aFileThatIsNoProgramIsAFailure() throws IOException {
        Path tool = root.resolve("tool");
        Files.write(tool, new byte[] {0, 1, 2});
        assertThat(tool.toFile().setExecutable(true)).isTrue();
        assertThat(new Program(tool.toString(), bounds(Duration.ofSeconds(20), 100)).run(List.of()))
                .isInstanceOf(Program.Failed.class);
    }

    private Program.Result run(String script, Duration limit, int bytesMax, String... arguments) {
        FakeTools.write(root, "tool", script);
        return new Program("tool", bounds(limit, bytesMax)).run(List.of(arguments));
    }

    private Program.Bounds bounds(Duration limit, int bytesMax) {
        return new Program.Bounds(root + ":/usr/bin:/bin", limit, bytesMax);
    }
}
