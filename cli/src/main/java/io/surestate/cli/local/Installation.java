package io.surestate.cli.local;

import io.surestate.cli.CliException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The folder that this program was started from.
 *
 * @param home has {@code bin} and {@code lib}
 */
public record Installation(Path home) {
    private static final String VARIABLE = "SURESTATE_HOME";

    /** Set by the launcher. */
    public static Installation find(Map<String, String> environment) {
        Path home = Path.of(environment.getOrDefault(VARIABLE, ""));
        Installation found = new Installation(home);
        if (home.toString().isEmpty() || !Files.isExecutable(found.server()) || !Files.isExecutable(found.agent())) {
            throw CliException.usage(
                    VARIABLE + ": \"" + home
                            + "\" (expected: a folder with bin/surestated and bin/surestate-agent; the launcher bin/ssctl sets it)");
        }
        return found;
    }

    Path server() {
        return home.resolve("bin").resolve("surestated");
    }

    Path agent() {
        return home.resolve("bin").resolve("surestate-agent");
    }
}
