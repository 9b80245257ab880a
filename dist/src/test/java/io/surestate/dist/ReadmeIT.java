package io.surestate.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Every command that the README shows works as it stands there. The quickstart has a test of its own; the test command is running. */
class ReadmeIT {
    private static final String DEV = "./ssctl dev";

    private static List<String> commands() throws IOException {
        return Files.readAllLines(Shell.source().resolve("README.md")).stream()
                .filter(line -> line.startsWith("$ "))
                .map(line -> line.substring(2))
                .toList();
    }

    @Test
    void everyCommandOfTheReadmeWorks() throws IOException, InterruptedException {
        List<String> commands = commands();
        assertThat(commands).startsWith("./ssctl quickstart", "mvn verify", DEV);
        Shell shell = new Shell(Map.of());
        Shell.Running dev = shell.start(DEV);
        try {
            await().atMost(Duration.ofSeconds(60)).until(() -> dev.text().contains("is ready"));
            for (String command : commands.subList(3, commands.size())) {
                Shell.Result result = shell.run(command, 60);
                assertThat(result.exit()).as(command + "\n" + result.output()).isZero();
                assertThat(result.output()).as(command).isNotBlank();
            }
        } finally {
            shell.run("kill -INT " + dev.process().pid(), 10);
            assertThat(dev.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(dev.process().exitValue()).as(dev.text()).isZero();
    }

    @Test
    void completionIsAScriptThatTheShellTakes() {
        Shell shell = new Shell(Map.of());
        assertThat(shell.run("bash -n <(./ssctl completion bash)", 60).exit()).isZero();
        assertThat(shell.run("./ssctl completion zsh", 60).output()).contains("bashcompinit");
        assertThat(shell.run("./ssctl completion fish", 60).output()).contains("complete -c ssctl");
    }
}
