package io.surestate.cli.job;

import io.surestate.cli.OutputClosedException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Writes one output to a stream that others write to as well: whole lines, each with a prefix. One thread. */
final class LineSink {
    private static final int LINE_BYTES_MAX = 64 << 10;

    private final PrintStream to;
    private final byte[] prefix;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /** @param prefix empty = bytes are passed on as they are */
    LineSink(PrintStream to, String prefix) {
        this.to = to;
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Passes on what is complete.
     *
     * @throws OutputClosedException if nobody reads the stream any more; the same from {@link #end}
     */
    void write(byte[] data) {
        if (prefix.length == 0) {
            to.write(data, 0, data.length);
            check();
            return;
        }
        for (byte b : data) {
            line.write(b);
            if (b == '\n' || line.size() >= LINE_BYTES_MAX) {
                emit();
            }
        }
    }

    /** Writes what is left of a line that did not end. */
    void end() {
        if (line.size() > 0) {
            line.write('\n');
            emit();
        }
    }

    private void emit() {
        byte[] content = line.toByteArray();
        line.reset();
        synchronized (to) {
            to.write(prefix, 0, prefix.length);
            to.write(content, 0, content.length);
            check();
        }
    }

    /** Flushes too. A print stream keeps failures to itself until asked. */
    private void check() {
        if (to.checkError()) {
            throw new OutputClosedException();
        }
    }
}
