package io.surestate.agent.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** Files that are whole or not there, whatever crashes. Holds no state. */
public final class DurableFiles {
    private DurableFiles() {}

    /** Replaces a file's content; survives a power cut once this returns. */
    public static void replace(Path file, byte[] content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        sync(parent(file));
    }

    /** Makes the names in a folder survive a power cut. */
    static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Removes a file, or a folder with everything in it; never follows a symbolic link. */
    public static void removeTree(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
            return;
        } catch (DirectoryNotEmptyException fullOfThings) {
            // What is in it goes first.
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static Path parent(Path file) {
        Path parent = file.getParent();
        return parent == null ? Path.of(".") : parent;
    }
}
