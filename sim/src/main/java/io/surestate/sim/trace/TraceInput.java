package io.surestate.sim.trace;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The bytes of a file, unpacked where it is gzip (told by its first bytes). A {@link TraceException} ends the reading where it is damaged,
 * or more than its bound comes out. Used by one thread.
 */
public final class TraceInput extends InputStream {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    private final Path file;
    private final long bytesMax;
    private final InputStream in;
    private long bytesRead;

    private TraceInput(Path file, long bytesMax, InputStream in) {
        this.file = file;
        this.bytesMax = bytesMax;
        this.in = in;
    }

    /**
     * Opens a file.
     *
     * @throws IOException the file cannot be read
     */
    public static TraceInput open(Path file, TraceBounds bounds) throws IOException {
        InputStream opened = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        try {
            return new TraceInput(file, bounds.bytes(), unpacked(opened));
        } catch (ZipException | EOFException damaged) {
            opened.close();
            throw damaged(file);
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

    private static TraceException damaged(Path file) {
        return new TraceException(file + ": damaged gzip file (expected: a whole one)");
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int read;
        try {
            read = in.read(into, from, length);
        } catch (ZipException | EOFException damaged) {
            throw damaged(file);
        }
        bytesRead += Math.max(0, read);
        if (bytesRead > bytesMax) {
            throw new TraceException(file + ": too large (expected: at most " + bytesMax + " bytes when unpacked)");
        }
        return read;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
