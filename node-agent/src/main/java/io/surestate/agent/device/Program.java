package io.surestate.agent.device;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program that is asked for something: with a time limit, bounded output and a plain environment. One that overstays is killed with
 * everything that it started; while something of it cannot be killed, no second one is started. One thread.
 */
public final class Program {
    private static final long WAIT_MILLIS = 20;
    private static final long KILL_MILLIS_MAX = 1_000;
    private static final int SAID_CHARS_MAX = 200;
    private static final double MILLIS_PER_SECOND = 1_000;

    private final String name;
    private final Bounds bounds;
    private List<ProcessHandle> stuck = List.of();

    /**
     * How programs are run.
     *
     * @param searchPath folders, separated by colons
     * @param timeLimit of one run
     * @param bytesMax of its output
     */
    public record Bounds(String searchPath, Duration timeLimit, int bytesMax) {}

    /** What became of a run. */
    public sealed interface Result {}

    /** It ended well. */
    public record Output(String text) implements Result {}

    /** There is no such program. */
    public record Missing() implements Result {}

    /** It did not end well; the reason names it. */
    public record Failed(String reason) implements Result {}

    /** @param name to be looked for in the search path, or a path */
    public Program(String name, Bounds bounds) {
        this.name = name;
        this.bounds = bounds;
    }

    /** Runs it and waits for its end. */
    public Result run(List<String> arguments) {
        Optional<Path> file = find();
        if (file.isEmpty()) {
            return new Missing();
        }
        String what = String.join(" ", shown(arguments));
        stuck = stuck.stream().filter(ProcessHandle::isAlive).toList();
        if (!stuck.isEmpty()) {
            return new Failed(what + ": an earlier run hangs and cannot be killed, pid "
                    + stuck.get(0).pid());
        }
        try {
            Process process = start(file.get(), arguments);
            try (InputStream out = process.getInputStream()) {
                return await(process, out, what);
            }
        } catch (IOException e) {
            return new Failed(what + ": cannot be run: " + e.getMessage());
        }
    }

    private List<String> shown(List<String> arguments) {
        List<String> words = new ArrayList<>();
        words.add(name);
        arguments.stream().limit(3).forEach(words::add);
        return words;
    }

    private Optional<Path> find() {
        if (name.contains("/")) {
            return Optional.of(Path.of(name)).filter(Files::isExecutable);
        }
        return List.of(bounds.searchPath().split(":", -1)).stream()
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /** Within a process group of its own, that {@code timeout} kills as a whole, also when this process is no more. */
    private Process start(Path file, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "timeout",
                "--signal=KILL",
                String.format(Locale.ROOT, "%.3f", bounds.timeLimit().toMillis() / MILLIS_PER_SECOND),
                file.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .directory(new java.io.File("/"));
        builder.environment().clear();
        builder.environment().put("PATH", bounds.searchPath());
        builder.environment().put("LC_ALL", "C");
        return builder.start();
    }

    private Result await(Process process, InputStream out, String what) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        List<ProcessHandle> tree = List.of();
        long millisLeft = bounds.timeLimit().toMillis() + KILL_MILLIS_MAX;
        // Who may have to be seen to later is looked up once, shortly before the limit: it takes a look at all
        // processes.
        long millisOverdue = bounds.timeLimit().toMillis() / 4 + KILL_MILLIS_MAX;
        try {
            while (true) {
                boolean ended = process.waitFor(out.available() > 0 ? 0 : WAIT_MILLIS, TimeUnit.MILLISECONDS);
                millisLeft -= out.available() > 0 ? 0 : WAIT_MILLIS;
                read.write(out.readNBytes(Math.min(out.available(), bounds.bytesMax() + 1 - read.size())));
                if (read.size() > bounds.bytesMax()) {
                    kill(process);
                    return new Failed(what + ": more than " + bounds.bytesMax() + " bytes of output");
                }
                if (ended && out.available() == 0) {
                    return ended(process.exitValue(), read.toString(StandardCharsets.UTF_8), what, tree);
                }
                if (millisLeft <= 0) {
                    kill(process);
                    return hung(what, tree);
                }
                if (tree.isEmpty() && millisLeft <= millisOverdue) {
                    tree = process.descendants().toList();
                }
            }
        } catch (InterruptedException e) {
            kill(process);
            Thread.currentThread().interrupt();
            return new Failed(what + ": interrupted");
        }
    }

    private Result ended(int code, String text, String what, List<ProcessHandle> tree) {
        if (code == 0) {
            return new Output(text);
        }
        // What timeout kills it kills by a signal to its own group, itself included.
        return code == 137 || code == 124 ? hung(what, tree) : new Failed(what + ": exit code " + code + said(text));
    }

    private Result hung(String what, List<ProcessHandle> tree) {
        stuck = tree.stream().filter(ProcessHandle::isAlive).toList();
        return new Failed(what + ": no end within " + bounds.timeLimit().toMillis() + " ms");
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** The last line. */
    private static String said(String text) {
        String last = text.strip().lines().reduce("", (before, line) -> line).strip();
        String plain = last.replaceAll("\\p{Cntrl}", " ");
        return plain.isEmpty() ? "" : ": " + plain.substring(0, Math.min(SAID_CHARS_MAX, plain.length()));
    }
}
