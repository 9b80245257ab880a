package io.surestate.agent.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts the shell scripts that run beside the agent, each in a session of its own. Holds no state. */
public final class Launcher {
    private Launcher() {}

    /** Puts a script that is shipped with the agent into {@code folder}. What runs from an older one is not disturbed. */
    public static Path install(Class<?> owner, String name, Path folder) throws IOException {
        try (InputStream in = owner.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + ": missing (expected: a part of this program)");
            }
            Files.createDirectories(folder);
            Path script = folder.toAbsolutePath().resolve(name);
            DurableFiles.replace(script, in.readAllBytes());
            return script;
        }
    }

    /** Lets everybody run it: tasks may have accounts of their own. */
    static void makeExecutable(Path script) throws IOException {
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Starts {@code script} with {@code arguments}, apart from this process' session, environment and files. */
    public static void launch(Path script, List<String> arguments) throws IOException {
        start(script, arguments, ProcessBuilder.Redirect.from(new File("/dev/null")));
    }

    /** As {@link #launch}, with this as its standard input. */
    static Process start(Path script, List<String> arguments, ProcessBuilder.Redirect input) throws IOException {
        List<String> command = new ArrayList<>(List.of("setsid", "sh", script.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(input)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", Tools.PATH);
        environment.put("LANG", "C");
        environment.put("SHELL", "/bin/sh");
        return builder.start();
    }
}
