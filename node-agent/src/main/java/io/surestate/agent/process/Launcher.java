package io.surestate.agent.process;

import io.surestate.api.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Starts the shell scripts that run beside the agent, each in a session of its own. Holds no state. */
public final class Launcher {
    private Launcher() {}

    /** A script that is shipped with the agent. */
    public static String script(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + ": missing (expected: a part of this program)");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts {@code script} with {@code arguments}, apart from this process' session, environment and files. */
    public static void launch(String name, String script, List<String> arguments) throws IOException {
        List<String> command = new java.util.ArrayList<>(List.of("setsid", "sh", "-c", script, name));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", Tools.PATH);
        environment.put("LANG", "C");
        environment.put("SHELL", "/bin/sh");
        builder.start();
    }

    static void launchTask(String script, TaskFolder folder, String incarnation) throws IOException {
        launch(
                "surestate-task",
                script,
                List.of(
                        folder.path().toString(),
                        folder.claim(incarnation).getFileName().toString(),
                        Long.toString(Limits.OUTPUT_FILE_BYTES_MAX)));
    }
}
