package io.surestate.cli.quickstart;

import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Locale;

/** Tells what happens, one line a step, each with the time since the beginning. One thread. */
final class Narrator {
    private static final String INDENT = "         ";

    private final PrintStream out;
    private final InstantSource time;
    private final long begun;

    Narrator(PrintStream out, InstantSource time) {
        this.out = out;
        this.time = time;
        this.begun = time.millis();
    }

    /** A step. */
    void tell(String line) {
        out.println(String.format(Locale.ROOT, "%6.1f s %s", seconds(), line));
        out.flush();
    }

    /** More about the last step; may have many lines. */
    void detail(String text) {
        text.lines().forEach(line -> out.println(INDENT + line));
        out.flush();
    }

    double seconds() {
        return (time.millis() - begun) / 1000.0;
    }
}
