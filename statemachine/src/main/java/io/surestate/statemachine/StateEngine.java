package io.surestate.statemachine;

import io.surestate.api.v1.StateDigest;
import io.surestate.log.v1.SnapshotManifest;
import io.surestate.statemachine.store.StateStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Applies committed entries to the state and its store. {@link #apply}, {@link #checkpoint} and {@link #close} belong to the apply
 * thread; views and digests to any thread.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class StateEngine implements AutoCloseable {
    private StateEngine() {}

    /** Loads the live state and checks it against the stored digest. Takes over the store: closing the engine closes it. */
    public static StateEngine open(StateStore store) {
        throw new UnsupportedOperationException("not built yet: " + store);
    }

    /** Applies the entries in order, writes them in one batch, then publishes the view after the last. */
    public List<AppliedEntry> apply(List<CommittedEntry> group) {
        throw new UnsupportedOperationException("not built yet: " + group);
    }

    /** The newest published view. */
    public StateView view() {
        throw new UnsupportedOperationException("not built yet");
    }

    /** The digest at a revision, 0 = newest; empty where it is not kept. The server id is left empty. */
    public Optional<StateDigest> digest(long revision) {
        throw new UnsupportedOperationException("not built yet: " + revision);
    }

    /** The oldest revision whose digest is kept; 0 = none. */
    public long oldestDigest() {
        throw new UnsupportedOperationException("not built yet");
    }

    /** Makes a whole, verified-when-read snapshot in a folder that is not there yet; the manifest is written last. */
    public SnapshotManifest checkpoint(Path targetFolder) {
        throw new UnsupportedOperationException("not built yet: " + targetFolder);
    }

    @Override
    public void close() {}
}
