package io.surestate.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** One run of the program, in this process. Waiting only moves its clock. */
public record CommandRun(int code, String out, String err) {
    /** In the environment: somebody sits at a terminal and types the input. */
    public static final String TERMINAL = "TEST_TERMINAL";

    public static CommandRun of(FakeCluster cluster, String... args) {
        return of(Map.of("SSCTL_SERVER", cluster.address()), "", args);
    }

    public static CommandRun of(Map<String, String> environment, String input, String... args) {
        return of(environment, Path.of("/nonexistent"), input, args);
    }

    public static CommandRun of(Map<String, String> environment, Path home, String input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CommandRun run = into(out, environment, home, input, args);
        return new CommandRun(run.code(), out.toString(StandardCharsets.UTF_8), run.err());
    }

    /** With an output of the caller's; {@link #out} stays empty. */
    public static CommandRun into(
            OutputStream out, Map<String, String> environment, Path home, String input, String... args) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        AtomicLong millis = new AtomicLong();
        InstantSource time = () -> java.time.Instant.ofEpochMilli(millis.get());
        CliContext context = new CliContext(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment,
                home,
                time,
                length -> millis.addAndGet(length.toMillis()),
                Thread::new,
                environment.containsKey(TERMINAL),
                () -> environment.containsKey(TERMINAL),
                new Random(1));
        int code = new Ssctl(context).run(args);
        return new CommandRun(code, "", err.toString(StandardCharsets.UTF_8));
    }
}
