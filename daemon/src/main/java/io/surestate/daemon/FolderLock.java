package io.surestate.daemon;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Keeps a folder for one process, until it is closed or the process ends. Safe between threads. */
public final class FolderLock implements AutoCloseable {
    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the folder, making it if need be.
     *
     * @param name of the file that stands for the lock
     * @return empty if another process, or another part of this one, has it
     * @throws IOException if the folder cannot be used
     */
    public static Optional<FolderLock> take(Path folder, String name) throws IOException {
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (isTaken(channel)) {
            return Optional.of(new FolderLock(channel));
        }
        channel.close();
        return Optional.empty();
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException heldHere) {
            return false;
        }
    }

    /** Lets go of the folder. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
