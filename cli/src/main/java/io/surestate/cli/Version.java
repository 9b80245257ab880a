package io.surestate.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code ssctl version}: of this program; {@code ssctl status} tells that of the servers. */
@Command(
        description = "Show the version of this program.",
        footer = {"", "Example:", "  ssctl version"})
public final class Version implements Callable<Integer> {
    private final CliContext context;

    Version(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        context.out().println("ssctl " + current());
        return ExitCode.DONE;
    }

    /** The version of this build. */
    public static String current() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("development");
    }
}
