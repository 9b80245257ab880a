package io.surestate.cli.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One server or agent as a process in a session of its own, so that Ctrl-C reaches only its parent, which ends it in order. Safe
 * between threads.
 */
public final class Child {
    private static final int STOP_SECONDS_MAX = 10;
    private static final int LOG_LINES_SHOWN = 15;

    private final String name;
    private final Path log;
    private final Process process;

    private Child(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param log takes both outputs, appended
     */
    static Child start(String name, List<String> command, Map<String, String> environment, Path log) {
        List<String> words = new ArrayList<>(List.of("setsid"));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            return new Child(name, log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public Path log() {
        return log;
    }

    /** {@code kill -9}; returns when it is dead. */
    public void kill() {
        process.destroyForcibly();
        await();
    }

    /** Asks it to stop. */
    void signal() {
        process.destroy();
    }

    /** Waits for its end, a while; then kills it. */
    void await() {
        boolean interrupted = Thread.interrupted();
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            interrupted = true;
            process.destroyForcibly();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The last lines that it wrote. */
    public String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
        } catch (IOException unreadable) {
            return "";
        }
    }
}
