package io.surestate.statemachine.store;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.surestate.log.v1.SnapshotFile;
import io.surestate.log.v1.SnapshotManifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder that holds one snapshot: the store's files and, written last, the manifest that makes it one. The manifest's file is
 * its own SHA-256 followed by the encoded message, so that a part of it is never taken for the whole. Any thread; a folder must
 * not change while it is worked on.
 */
public final class SnapshotFolder {
    /** Name of the manifest's file. */
    public static final String MANIFEST_NAME = "snapshot-manifest.bin";

    private static final int CHECKSUM_BYTES = 32;
    private static final int MANIFEST_BYTES_MAX = 16 << 20;
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}");

    private SnapshotFolder() {}

    /** Reads the manifest and checks every file's size and SHA-256. Empty = not a whole snapshot. */
    public static Optional<SnapshotManifest> verify(Path folder) {
        return checked(folder, file -> sized(folder, file) && sameContent(folder, file));
    }

    /** As {@link #verify} without reading the files' content: manifest whole, every file there with its size. */
    public static Optional<SnapshotManifest> peek(Path folder) {
        return checked(folder, file -> sized(folder, file));
    }

    /**
     * Adds checksums and the manifest to a folder of {@link StateStore#checkpoint}, everything forced to disk.
     *
     * @param head the manifest without files
     */
    public static SnapshotManifest seal(Path folder, SnapshotManifest head) {
        try {
            SnapshotManifest.Builder manifest = head.toBuilder().clearFiles();
            for (Path file : filesOf(folder)) {
                DiskFiles.force(file);
                manifest.addFiles(SnapshotFile.newBuilder()
                        .setName(file.getFileName().toString())
                        .setBytes(Files.size(file))
                        .setChecksum(DiskFiles.sha256(file)));
            }
            SnapshotManifest done = manifest.build();
            Path draft = folder.resolve(MANIFEST_NAME + ".tmp");
            ByteString body = done.toByteString();
            Files.write(draft, DiskFiles.sha256(body).concat(body).toByteArray());
            DiskFiles.force(draft);
            DiskFiles.force(folder);
            Files.move(draft, folder.resolve(MANIFEST_NAME), StandardCopyOption.ATOMIC_MOVE);
            DiskFiles.force(folder);
            return done;
        } catch (IOException failed) {
            throw new StoreException("seal " + folder, failed);
        }
    }

    /**
     * Makes a fresh live folder out of a snapshot's listed files: hard links to {@code *.sst}, which never change, copies of the
     * rest, all forced to disk. The live folder must not be there yet; its parent must.
     */
    public static void link(Path snapshot, Path liveFolder) {
        SnapshotManifest manifest = peek(snapshot)
                .orElseThrow(() -> new StoreException(
                        "link " + snapshot, new IOException(snapshot + ": no whole snapshot (expected: one)")));
        try {
            Files.createDirectory(liveFolder);
            for (SnapshotFile file : manifest.getFilesList()) {
                Path from = snapshot.resolve(file.getName());
                Path to = liveFolder.resolve(file.getName());
                if (file.getName().endsWith(".sst")) {
                    Files.createLink(to, from);
                } else {
                    Files.copy(from, to);
                    DiskFiles.force(to);
                }
            }
            DiskFiles.force(liveFolder);
        } catch (IOException failed) {
            throw new StoreException("link " + snapshot, failed);
        }
    }

    private static Optional<SnapshotManifest> checked(Path folder, Predicate<SnapshotFile> good) {
        try {
            return manifest(folder)
                    .filter(manifest -> manifest.getFilesList().stream().allMatch(good));
        } catch (UncheckedIOException | IOException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<SnapshotManifest> manifest(Path folder) throws IOException {
        Path file = folder.resolve(MANIFEST_NAME);
        if (!Files.isRegularFile(file) || Files.size(file) < CHECKSUM_BYTES || Files.size(file) > MANIFEST_BYTES_MAX) {
            return Optional.empty();
        }
        ByteString all = ByteString.copyFrom(Files.readAllBytes(file));
        ByteString body = all.substring(CHECKSUM_BYTES);
        if (!DiskFiles.sha256(body).equals(all.substring(0, CHECKSUM_BYTES))) {
            return Optional.empty();
        }
        try {
            return Optional.of(SnapshotManifest.parseFrom(body));
        } catch (InvalidProtocolBufferException unreadable) {
            return Optional.empty();
        }
    }

    private static boolean sized(Path folder, SnapshotFile file) {
        Path path = folder.resolve(file.getName());
        try {
            return FILE_NAME.matcher(file.getName()).matches()
                    && Files.isRegularFile(path)
                    && Files.size(path) == file.getBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static boolean sameContent(Path folder, SnapshotFile file) {
        try {
            return DiskFiles.sha256(folder.resolve(file.getName())).equals(file.getChecksum());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<Path> filesOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith(MANIFEST_NAME))
                    .sorted()
                    .toList();
        }
    }
}
