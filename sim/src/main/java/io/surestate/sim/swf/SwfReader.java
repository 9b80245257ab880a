package io.surestate.sim.swf;

import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import io.surestate.sim.trace.TraceLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringTokenizer;

/** Reads a log job by job, whatever alphabet its comments are in. Used by one thread. */
public final class SwfReader implements AutoCloseable {
    private static final int FIELDS = 18;
    private static final int SUBMIT = 1;
    private static final int RUN = 3;
    private static final int ALLOCATED = 4;
    private static final int PROCESSORS = 7;
    private static final int SECONDS = 8;
    private static final int USER = 11;
    private static final String[] NAMES = {
        "job", "submit", "wait", "run", "allocated processors", "cpu", "memory", "requested processors",
                "requested time",
        "requested memory", "status", "user", "group", "executable", "queue", "partition", "preceding job", "think time"
    };

    /** About 30,000 years; sums of these do not overflow. */
    private static final long SECONDS_MAX = 1_000_000_000_000L;

    private static final int PROCESSORS_MAX = 1_000_000_000;
    private static final String MAX_PROCS = "MaxProcs";
    private static final String MAX_NODES = "MaxNodes";

    private final TraceLines lines;
    private final String[] fields = new String[FIELDS];
    private OptionalInt maxProcs = OptionalInt.empty();
    private OptionalInt maxNodes = OptionalInt.empty();

    private SwfReader(TraceLines lines) {
        this.lines = lines;
    }

    /**
     * Opens a log.
     *
     * @throws IOException the file cannot be read
     */
    public static SwfReader open(Path file, TraceBounds bounds) throws IOException {
        return new SwfReader(TraceLines.open(file, StandardCharsets.ISO_8859_1, bounds));
    }

    /**
     * The next job; empty at the end.
     *
     * @throws TraceException a line is not what the format says
     */
    public Optional<SwfJob> next() throws IOException {
        for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
            String text = line.get().strip();
            if (text.startsWith(";")) {
                header(text.substring(1).strip());
            } else if (!text.isEmpty()) {
                return Optional.of(job(text));
            }
        }
        return Optional.empty();
    }

    /** Processors of the machine, or else its nodes, as far as the headers read until now tell. */
    public OptionalInt maxProcs() {
        return maxProcs.isPresent() ? maxProcs : maxNodes;
    }

    private void header(String text) {
        if (text.startsWith(MAX_PROCS + ":")) {
            maxProcs = OptionalInt.of(size(MAX_PROCS, text));
        } else if (text.startsWith(MAX_NODES + ":")) {
            maxNodes = OptionalInt.of(size(MAX_NODES, text));
        }
    }

    private int size(String name, String text) {
        return (int) number(name, text.substring(name.length() + 1).strip(), 1, PROCESSORS_MAX);
    }

    private SwfJob job(String text) {
        lines.countRow();
        StringTokenizer words = new StringTokenizer(text);
        if (words.countTokens() != FIELDS) {
            throw lines.wrong("fields", Integer.toString(words.countTokens()), "" + FIELDS);
        }
        for (int i = 0; i < FIELDS; i++) {
            fields[i] = words.nextToken();
        }
        return new SwfJob(
                field(SUBMIT, SECONDS_MAX),
                field(RUN, SECONDS_MAX),
                (int) field(ALLOCATED, PROCESSORS_MAX),
                (int) field(PROCESSORS, PROCESSORS_MAX),
                field(SECONDS, SECONDS_MAX),
                (int) field(USER, Integer.MAX_VALUE));
    }

    private long field(int index, long most) {
        return number(NAMES[index], fields[index], SwfJob.UNKNOWN, most);
    }

    /** Fractions, which some logs have, are cut off. */
    private long number(String name, String text, long least, long most) {
        try {
            long value = text.indexOf('.') < 0 ? Long.parseLong(text) : (long) Double.parseDouble(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw lines.wrong(name, text, "a number");
        }
        throw lines.wrong(name, text, least + " to " + most);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
