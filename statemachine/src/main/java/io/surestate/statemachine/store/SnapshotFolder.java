package io.surestate.statemachine.store;

import io.surestate.log.v1.SnapshotManifest;
import java.nio.file.Path;
import java.util.Optional;

/** A folder that holds one snapshot: the store's files and, written last, the manifest that makes it one. */
@SuppressWarnings("DoNotCallSuggester")
public final class SnapshotFolder {
    /** Name of the manifest's file. */
    public static final String MANIFEST_NAME = "snapshot-manifest.bin";

    private SnapshotFolder() {}

    /** Reads the manifest and checks every file's size and SHA-256. Empty = not a whole snapshot. */
    public static Optional<SnapshotManifest> verify(Path folder) {
        throw new UnsupportedOperationException("not built yet: " + folder);
    }

    /** As {@link #verify} without reading the files' content: manifest whole, every file there with its size. */
    public static Optional<SnapshotManifest> peek(Path folder) {
        throw new UnsupportedOperationException("not built yet: " + folder);
    }

    /** Adds checksums and the manifest to a folder of {@link StateStore#checkpoint}, everything forced to disk. */
    public static SnapshotManifest seal(Path folder, SnapshotManifest head) {
        throw new UnsupportedOperationException("not built yet: " + folder + head);
    }

    /** Makes a fresh live folder out of a snapshot: hard links to {@code *.sst}, copies of the rest, all forced to disk. */
    public static void link(Path snapshot, Path liveFolder) {
        throw new UnsupportedOperationException("not built yet: " + snapshot + liveFolder);
    }
}
