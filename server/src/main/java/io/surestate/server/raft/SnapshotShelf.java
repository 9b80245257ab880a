package io.surestate.server.raft;

import io.surestate.server.disk.Folders;
import io.surestate.server.log.LogConsumer.SnapshotPosition;
import io.surestate.statemachine.store.SnapshotFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshots of one server: {@code snapshots/s_<term>_<index>/}, each a folder that a manifest completes. Only a folder whose every
 * file matches its manifest counts. An installed snapshot replaces the whole shelf by a rename; if a crash fell between the renames, the
 * newest shelf set aside is put back.
 */
final class SnapshotShelf implements StateMachineStorage {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotShelf.class);
    private static final Pattern NAME = Pattern.compile("s_(\\d+)_(\\d+)");
    private static final String MD5_SUFFIX = ".md5";

    private final Path shelf;
    private final Path incoming;
    private volatile Optional<FileListSnapshotInfo> latest = Optional.empty();

    SnapshotShelf(Path folder) {
        this.shelf = folder.resolve("snapshots");
        this.incoming = folder.resolve("incoming");
    }

    @Override
    public void init(RaftStorage storage) throws IOException {
        putBackShelfSetAside();
        Files.createDirectories(shelf);
        Folders.delete(incoming);
        Files.createDirectories(incoming);
        refresh();
    }

    /** Looks at the disk again: after an install, and at start. */
    void refresh() {
        latest = newestFirst().filter(SnapshotShelf::intact).findFirst().map(SnapshotShelf::describe);
    }

    Optional<Path> newestFolder() {
        return latest.map(info -> folder(new SnapshotPosition(info.getTerm(), info.getIndex())));
    }

    /** A folder that is not there yet, on the same file system, to write a snapshot into. */
    Path newFolder() throws IOException {
        Path folder = incoming.resolve("own");
        Folders.delete(folder);
        return folder;
    }

    /** Makes a written folder the newest snapshot, in one step. */
    void publish(Path written, SnapshotPosition position) throws IOException {
        Path target = folder(position);
        if (!Files.exists(target)) {
            Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
            Folders.sync(shelf);
        }
        latest = Optional.of(describe(target));
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        return latest.orElse(null);
    }

    @Override
    public void format() {
        // Nothing of ours is to be wiped when Ratis formats its own folder.
    }

    @Override
    public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) throws IOException {
        int kept = Math.max(1, policy.getNumSnapshotsRetained());
        for (Path old : newestFirst().skip(kept).toList()) {
            Folders.delete(old);
        }
    }

    @Override
    public java.io.File getSnapshotDir() {
        return shelf.toFile();
    }

    @Override
    public java.io.File getTmpDir() {
        return incoming.toFile();
    }

    private Path folder(SnapshotPosition position) {
        return shelf.resolve("s_" + position.term() + "_" + position.index());
    }

    private Stream<Path> newestFirst() {
        return folders().stream()
                .sorted(Comparator.comparingLong(
                                (Path folder) -> position(folder).index())
                        .reversed());
    }

    private List<Path> folders() {
        if (!Files.isDirectory(shelf)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(shelf)) {
            return children.filter(child ->
                            NAME.matcher(child.getFileName().toString()).matches())
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void putBackShelfSetAside() throws IOException {
        if (Files.exists(shelf)) {
            return;
        }
        Path parent = shelf.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            return;
        }
        try (Stream<Path> siblings = Files.list(parent)) {
            Optional<Path> aside = siblings.filter(
                            path -> path.getFileName().toString().startsWith("snapshots.tmp"))
                    .max(Comparator.naturalOrder());
            if (aside.isPresent()) {
                LOG.warn("action=put-back-snapshots from={}", aside.get());
                Files.move(aside.get(), shelf, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private static boolean intact(Path folder) {
        boolean intact = SnapshotFolder.verify(folder).isPresent();
        if (!intact) {
            LOG.warn(
                    "action=ignore-snapshot folder={} reason=\"not whole, or a file differs from the manifest\"",
                    folder);
        }
        return intact;
    }

    private static SnapshotPosition position(Path folder) {
        Matcher name = NAME.matcher(folder.getFileName().toString());
        if (!name.matches()) {
            throw new IllegalArgumentException("folder: " + folder + " (expected: s_<term>_<index>)");
        }
        return new SnapshotPosition(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)));
    }

    private static FileListSnapshotInfo describe(Path folder) {
        SnapshotPosition position = position(folder);
        try (Stream<Path> children = Files.list(folder)) {
            List<FileInfo> files = children.filter(file -> !file.toString().endsWith(MD5_SUFFIX))
                    .sorted()
                    .map(file -> new FileInfo(file, storedMd5(file)))
                    .toList();
            return new FileListSnapshotInfo(files, TermIndex.valueOf(position.term(), position.index()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Empty = Ratis computes it while it sends. */
    @SuppressWarnings("NullAway") // FileInfo takes null for "not known yet".
    private static MD5Hash storedMd5(Path file) {
        try {
            return MD5FileUtil.readStoredMd5ForFile(file.toFile());
        } catch (IOException unreadable) {
            return null;
        }
    }
}
