package io.surestate.agent.output;

import com.google.protobuf.ByteString;
import io.surestate.api.Limits;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One output of one attempt: the newest parts of a longer whole. A part's number tells its offset. Holds no state.
 *
 * @param folder where the parts are
 * @param name {@code stdout} or {@code stderr}
 * @param partBytes bytes of every part but the last
 */
record OutputParts(Path folder, String name, long partBytes) {
    /** Bytes from {@code offset} on; never empty. */
    record Piece(long offset, ByteString data) {}

    OutputParts(Path folder, String name) {
        this(folder, name, Limits.OUTPUT_FILE_BYTES_MAX);
    }

    boolean exists() {
        return Files.isDirectory(folder);
    }

    /** Where reading begins that was asked for at {@code offset}; negative = that many bytes before the end. */
    long position(long offset) throws IOException {
        if (offset >= 0) {
            return offset;
        }
        TreeMap<Long, Path> parts = parts();
        return parts.isEmpty() ? 0 : Math.max(0, end(parts) + offset);
    }

    /** What there is at {@code offset}, or at the oldest byte kept if that is later. */
    Optional<Piece> read(long offset) throws IOException {
        TreeMap<Long, Path> parts = parts();
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        long from = Math.max(offset, parts.firstKey() * partBytes);
        Path part = parts.get(from / partBytes);
        if (part == null) {
            return Optional.empty();
        }
        byte[] buffer = new byte[Limits.OUTPUT_CHUNK_BYTES_MAX];
        try (RandomAccessFile file = new RandomAccessFile(part.toFile(), "r")) {
            file.seek(from % partBytes);
            int count = file.read(buffer);
            return count <= 0 ? Optional.empty() : Optional.of(new Piece(from, ByteString.copyFrom(buffer, 0, count)));
        } catch (java.io.FileNotFoundException rotatedAway) {
            return Optional.empty();
        }
    }

    private long end(TreeMap<Long, Path> parts) throws IOException {
        return parts.lastKey() * partBytes + Files.size(parts.lastEntry().getValue());
    }

    private TreeMap<Long, Path> parts() throws IOException {
        TreeMap<Long, Path> parts = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, name + ".[0-9]*")) {
            for (Path file : files) {
                String number = file.getFileName().toString().substring(name.length() + 1);
                parts.put(Long.parseLong(number), file);
            }
        } catch (NoSuchFileException e) {
            return parts;
        }
        return parts;
    }
}
