package io.surestate.server;

import io.surestate.daemon.FolderLock;
import io.surestate.manifest.config.ConfigException;
import io.surestate.server.disk.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A server's folder, held by one process at a time, of one cluster and one server for ever. A voter that starts on an empty folder has
 * forgotten its votes, so an empty one is only taken for a new cluster and only when that is said.
 */
final class DataDir implements AutoCloseable {
    private final Path folder;
    private final FolderLock lock;

    private DataDir(Path folder, FolderLock lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Locks the folder and checks whose it is; {@link ConfigException} says what to do otherwise. */
    static DataDir open(ServerConfig config, boolean bootstrap) {
        Path folder = config.dataDir().toAbsolutePath();
        try {
            FolderLock lock = FolderLock.take(folder, "lock")
                    .orElseThrow(() -> new ConfigException(
                            "dataDir: " + folder + " is in use by another process (expected: one server per folder)"));
            DataDir opened = new DataDir(folder, lock);
            try {
                opened.claim(config, bootstrap);
            } catch (ConfigException refused) {
                opened.close();
                throw refused;
            }
            return opened;
        } catch (IOException unusable) {
            throw new ConfigException("dataDir: " + folder + " cannot be used: " + unusable);
        }
    }

    private void claim(ServerConfig config, boolean bootstrap) throws IOException {
        Path identity = folder.resolve("identity");
        String mine = config.clusterId() + "/" + config.serverId();
        if (Files.exists(identity)) {
            String owner = Files.readString(identity, StandardCharsets.UTF_8).strip();
            if (!owner.equals(mine)) {
                throw new ConfigException(
                        "dataDir: " + folder + " belongs to " + owner + " (expected: " + mine + ", or another folder)");
            }
            if (bootstrap) {
                throw new ConfigException("--bootstrap: " + folder + " already holds " + owner
                        + " (expected: start without --bootstrap)");
            }
            return;
        }
        if (config.initialized()) {
            throw new ConfigException(
                    "dataDir: " + folder + " is empty, but initialized is true (expected: the folder that "
                            + mine
                            + " used; if it is lost, remove the server from the cluster and join it anew: a voter that lost its "
                            + "disk has forgotten its votes)");
        }
        if (!bootstrap) {
            throw new ConfigException(
                    "dataDir: " + folder + " is empty (expected: --bootstrap for the first start of a new "
                            + "cluster, or the folder that " + mine + " used before)");
        }
        Path written = folder.resolve("identity.tmp");
        Files.writeString(written, mine + "\n", StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(written, identity, StandardCopyOption.ATOMIC_MOVE);
        Folders.sync(folder);
    }

    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
