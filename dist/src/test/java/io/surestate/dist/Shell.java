package io.surestate.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs commands in the source folder, as somebody in front of a terminal would. */
final class Shell {
    private static final Path SOURCE = Path.of(System.getProperty("surestate.source", ".."));

    private final Map<String, String> environment;

    Shell(Map<String, String> environment) {
        this.environment = environment;
    }

    /** What a command printed, both streams together, and its exit code. */
    record Result(int exit, String output) {}

    /** A command in the background with its output in a file. */
    record Running(Process process, Path output) {
        String text() {
            try {
                return Files.readString(output, StandardCharsets.UTF_8);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }

    static Path source() {
        return SOURCE;
    }

    Result run(String command, long secondsMax) {
        Running running = start(command);
        try {
            if (!running.process.waitFor(secondsMax, TimeUnit.SECONDS)) {
                running.process.descendants().forEach(ProcessHandle::destroyForcibly);
                running.process.destroyForcibly();
                throw new AssertionError(command + ": still running after " + secondsMax + " s:\n" + running.text());
            }
            return new Result(running.process.exitValue(), running.text());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(hurried);
        }
    }

    Running start(String command) {
        try {
            Path output = Files.createTempFile("surestate-shell", ".txt");
            output.toFile().deleteOnExit();
            ProcessBuilder builder = new ProcessBuilder(List.of("bash", "-c", "exec " + command))
                    .directory(SOURCE.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            return new Running(builder.start(), output);
        } catch (IOException cannotRun) {
            throw new UncheckedIOException(cannotRun);
        }
    }
}
