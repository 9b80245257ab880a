package io.surestate.cli.completion;

import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ssctl completion}. */
@Command(
        description = "Print a completion script for bash, zsh or fish.",
        footer = {
            "",
            "Examples:",
            "  source <(ssctl completion bash)                                  bash, zsh",
            "  ssctl completion fish > ~/.config/fish/completions/ssctl.fish    fish"
        })
public final class Completion implements Callable<Integer> {
    private static final String NAME = "ssctl";

    private final CliContext context;
    private final Supplier<CommandLine> commands;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private String shell = "";

    /** @param commands makes the whole command tree */
    public Completion(CliContext context, Supplier<CommandLine> commands) {
        this.context = context;
        this.commands = commands;
    }

    @Override
    public Integer call() {
        context.out().print(script());
        return ExitCode.DONE;
    }

    private String script() {
        return switch (shell) {
            // The script asks which shell it is in and loads zsh's emulation of bash completion itself.
            case "bash", "zsh" -> AutoComplete.bash(NAME, commands.get());
            case "fish" -> new FishScript(NAME).of(commands.get());
            default -> throw CliException.usage(shell + " (expected: bash, zsh or fish)");
        };
    }
}
