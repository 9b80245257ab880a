package io.surestate.agent;

import io.surestate.agent.process.DurableFiles;
import io.surestate.daemon.FolderLock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** The agent's folder, held by one process at a time. Safe between threads. */
public final class DataDir implements AutoCloseable {
    private final Path path;
    private final FolderLock lock;

    private DataDir(Path path, FolderLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Takes the folder, making it if need be.
     *
     * @throws IllegalStateException if another process holds it
     */
    public static DataDir open(Path path) throws IOException {
        FolderLock lock = FolderLock.take(path, "agent.lock")
                .orElseThrow(() -> new IllegalStateException(
                        "dataDir: " + path + " is held by another agent (expected: a folder of this agent's own)"));
        return new DataDir(path.toAbsolutePath(), lock);
    }

    public Path path() {
        return path;
    }

    Path tasks() {
        return path.resolve("tasks");
    }

    Path keeper() {
        return path.resolve("keeper");
    }

    /**
     * Made at the first start and kept for ever.
     *
     * @throws IllegalStateException if the folder is a copy: its node id belongs to the agent of the folder that it was copied from
     */
    public String nodeId(RandomGenerator random) throws IOException {
        Path file = path.resolve("node-id");
        Path home = path.resolve("made-at");
        String here = path.toRealPath().toString();
        if (Files.exists(file)) {
            String made = Files.exists(home)
                    ? Files.readString(home, StandardCharsets.UTF_8).strip()
                    : "another folder";
            if (!made.equals(here)) {
                throw new IllegalStateException("dataDir: " + here + " holds the node id of " + made
                        + " (expected: that folder, or one without a node id; remove node-id, made-at, tasks and keeper to make "
                        + "this a node of its own)");
            }
        } else {
            DurableFiles.replace(home, (here + "\n").getBytes(StandardCharsets.UTF_8));
            String fresh = String.format("%016x%016x", random.nextLong(), random.nextLong());
            DurableFiles.replace(file, (fresh + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        String id = Files.readString(file, StandardCharsets.US_ASCII).strip();
        if (!id.matches("[0-9a-f]{32}")) {
            throw new IOException(file + ": damaged (expected: 32 hexadecimal digits)");
        }
        return id;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
