package io.surestate.sim.trace;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The lines of a trace file, plain or gzip (told by its first bytes), without their ends. Reads ahead one buffer and no more than its bounds
 * allow. Used by one thread.
 */
public final class TraceLines implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    private final String name;
    private final TraceBounds bounds;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private byte[] line = new byte[256];
    private int position;
    private int filled;
    private long bytesRead;
    private long lineNumber;

    private TraceLines(String name, InputStream in, TraceBounds bounds) {
        this.name = name;
        this.in = in;
        this.bounds = bounds;
    }

    /**
     * Opens a file.
     *
     * @throws IOException the file cannot be read
     */
    public static TraceLines open(Path file, TraceBounds bounds) throws IOException {
        InputStream opened = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        try {
            return new TraceLines(file.toString(), unpacked(opened), bounds);
        } catch (ZipException | EOFException damaged) {
            opened.close();
            throw new TraceException(file + ": damaged gzip file (expected: a whole one)");
        } catch (IOException | RuntimeException unreadable) {
            opened.close();
            throw unreadable;
        }
    }

    private static InputStream unpacked(InputStream in) throws IOException {
        in.mark(2);
        boolean gzip = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
        in.reset();
        return gzip ? new GZIPInputStream(in, BUFFER_BYTES) : in;
    }

    /**
     * The next line; empty at the end.
     *
     * @throws TraceException a bound is passed, or what is packed is damaged
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
        return Optional.of(new String(line, 0, length, StandardCharsets.UTF_8));
    }

    private boolean fill() throws IOException {
        try {
            filled = in.read(buffer, 0, BUFFER_BYTES);
        } catch (ZipException | EOFException damaged) {
            throw new TraceException(place() + ": damaged gzip file: " + damaged.getMessage());
        }
        position = 0;
        bytesRead += Math.max(0, filled);
        if (bytesRead > bounds.bytes()) {
            throw new TraceException(
                    name + ": too large (expected: at most " + bounds.bytes() + " bytes when unpacked)");
        }
        return filled > 0;
    }

    /** File and line, for messages. */
    public String place() {
        return name + ":" + lineNumber;
    }

    /** The file. */
    public String name() {
        return name;
    }

    public TraceBounds bounds() {
        return bounds;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
