package io.surestate.sim.trace;

import io.surestate.api.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The lines of a trace file, without their ends. Reads ahead one buffer and no more than its bounds allow. Used by one thread. */
public final class TraceLines implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path file;
    private final TraceBounds bounds;
    private final TraceInput in;
    private final CharsetDecoder decoder;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private byte[] line = new byte[256];
    private int position;
    private int filled;
    private long lineNumber;
    private int rows;

    private TraceLines(Path file, TraceInput in, Charset charset, TraceBounds bounds) {
        this.file = file;
        this.in = in;
        this.decoder = charset.newDecoder();
        this.bounds = bounds;
    }

    /**
     * Opens a file of UTF-8 text.
     *
     * @throws IOException the file cannot be read
     */
    public static TraceLines open(Path file, TraceBounds bounds) throws IOException {
        return open(file, StandardCharsets.UTF_8, bounds);
    }

    /** The same for another charset. */
    public static TraceLines open(Path file, Charset charset, TraceBounds bounds) throws IOException {
        return new TraceLines(file, TraceInput.open(file, bounds), charset, bounds);
    }

    /**
     * The next line; empty at the end.
     *
     * @throws TraceException a bound is passed, the line is no text, or what is packed is damaged
     */
    public Optional<String> next() throws IOException {
        int length = 0;
        boolean any = false;
        while (position < filled || fill()) {
            any = true;
            byte next = buffer[position++];
            if (next == '\n') {
                break;
            }
            if (length == bounds.lineChars()) {
                lineNumber++;
                throw new TraceException(place() + ": line too long (expected: at most " + length + " characters)");
            }
            if (length == line.length) {
                line = Arrays.copyOf(line, 2 * length);
            }
            line[length++] = next;
        }
        if (!any) {
            return Optional.empty();
        }
        lineNumber++;
        if (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        return Optional.of(text(length));
    }

    private String text(int length) {
        try {
            return decoder.decode(ByteBuffer.wrap(line, 0, length)).toString();
        } catch (CharacterCodingException notText) {
            throw new TraceException(
                    place() + ": not text (expected: " + decoder.charset().name() + ")");
        }
    }

    private boolean fill() throws IOException {
        filled = in.read(buffer, 0, BUFFER_BYTES);
        position = 0;
        return filled > 0;
    }

    /** Notes that the line is one more row; refuses it where there are too many. */
    public void countRow() {
        if (++rows > bounds.rows()) {
            throw new TraceException(place() + ": too many rows (expected: at most " + bounds.rows() + ")");
        }
    }

    /** The line as one more row. */
    public TraceRow row(List<String> columns, String[] cells) {
        countRow();
        return new TraceRow(place(), columns, cells);
    }

    /** What to throw about the line: {@code FILE:LINE: field: value (expected: …)}. */
    public TraceException wrong(String field, String value, String expected) {
        return new TraceException(place() + ": " + Names.message(field, value, expected));
    }

    /** File and line, for messages. */
    public String place() {
        return file + ":" + lineNumber;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
