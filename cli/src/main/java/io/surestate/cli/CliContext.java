package io.surestate.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * What a run of the program gets from outside. Immutable; the streams are as safe between threads as they are.
 *
 * @param environment of the process
 * @param home the user's folder
 * @param time measures how long things took
 * @param threads makes daemon threads for what must go on side by side
 * @param interactive somebody sits at a terminal and can be asked
 * @param errorIsTerminal whether standard error is a terminal; asked only where that matters
 */
public record CliContext(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        Path home,
        InstantSource time,
        Pause pause,
        ThreadFactory threads,
        boolean interactive,
        BooleanSupplier errorIsTerminal,
        RandomGenerator random) {
    public CliContext {
        environment = Map.copyOf(environment);
    }

    /** Waiting, so that tests need not. */
    public interface Pause {
        /** Returns after about {@code length}; at once if the thread is interrupted, which stays marked. */
        void sleep(Duration length);

        /** Sleeps for real. */
        static Pause sleeping() {
            return length -> {
                try {
                    Thread.sleep(length.toMillis());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            };
        }
    }
}
