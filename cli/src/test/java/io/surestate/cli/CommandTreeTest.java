package io.surestate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CommandTreeTest {
    private static CommandLine tree() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return new Ssctl(new CliContext(
                        new ByteArrayInputStream(new byte[0]),
                        nowhere,
                        nowhere,
                        Map.of(),
                        Path.of("/nonexistent"),
                        InstantSource.system(),
                        length -> {},
                        Thread::new,
                        false,
                        () -> false,
                        new Random(1)))
                .whole();
    }

    private static List<CommandLine> leaves(CommandLine command) {
        List<CommandLine> leaves = new ArrayList<>();
        if (command.getSubcommands().isEmpty()) {
            leaves.add(command);
        }
        command.getSubcommands().values().forEach(sub -> leaves.addAll(leaves(sub)));
        return leaves;
    }

    @Test
    void hasEveryCommand() {
        assertThat(leaves(tree()).stream().map(leaf -> leaf.getCommandSpec().qualifiedName()))
                .contains(
                        "ssctl job submit",
                        "ssctl job run",
                        "ssctl job list",
                        "ssctl job get",
                        "ssctl job wait",
                        "ssctl job cancel",
                        "ssctl job logs",
                        "ssctl job events",
                        "ssctl watch",
                        "ssctl node fence",
                        "ssctl alloc release",
                        "ssctl hold list",
                        "ssctl hold confirm",
                        "ssctl hold release",
                        "ssctl plan commit",
                        "ssctl plan hold",
                        "ssctl ledger history",
                        "ssctl request get",
                        "ssctl cluster status",
                        "ssctl cluster freeze",
                        "ssctl cluster unfreeze",
                        "ssctl node list",
                        "ssctl node get",
                        "ssctl node top",
                        "ssctl topology show",
                        "ssctl topology import",
                        "ssctl node register",
                        "ssctl node remove",
                        "ssctl alloc list",
                        "ssctl server list",
                        "ssctl status",
                        "ssctl version",
                        "ssctl completion",
                        "ssctl dev",
                        "ssctl quickstart",
                        "ssctl simulate");
    }

    @Test
    void showsAnExampleInTheHelpOfEachCommand() {
        for (CommandLine leaf : leaves(tree())) {
            assertThat(leaf.getUsageMessage())
                    .contains("Example")
                    .contains("  " + leaf.getCommandSpec().qualifiedName())
                    .contains("--help", "--server");
        }
    }

    @Test
    void helpsWithoutACluster() {
        CommandRun run = CommandRun.of(Map.of(), "", "job", "list", "--help");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("ssctl job list", "--all");
    }

    @Test
    void takesGlobalOptionsBeforeAndAfterTheCommand() {
        try (FakeCluster cluster = new FakeCluster()) {
            assertThat(CommandRun.of(Map.of(), "", "--server", cluster.address(), "job", "list", "-o", "name")
                            .out())
                    .isEqualTo("count-up\n");
            assertThat(CommandRun.of(Map.of(), "", "job", "list", "-o", "name", "--server", cluster.address())
                            .out())
                    .isEqualTo("count-up\n");
        }
    }

    @Test
    void completesInThreeShells() {
        assertThat(CommandRun.of(Map.of(), "", "completion", "bash").out()).contains("quickstart", "bashcompinit");
        assertThat(CommandRun.of(Map.of(), "", "completion", "zsh").out()).contains("quickstart", "bashcompinit");
        assertThat(CommandRun.of(Map.of(), "", "completion", "fish").out())
                .contains("complete -c ssctl -n 'not __fish_seen_subcommand_from job ")
                .contains("-n '__fish_seen_subcommand_from job; and __fish_seen_subcommand_from list' -l phase -r");
    }
}
