package io.surestate.statemachine;

import com.google.protobuf.ByteString;
import io.surestate.api.v1.StateDigest;
import io.surestate.log.v1.SnapshotManifest;
import io.surestate.statemachine.history.StoredHistory;
import io.surestate.statemachine.row.ChangeApplier;
import io.surestate.statemachine.row.StoredState;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.Conservation;
import io.surestate.statemachine.store.SnapshotFolder;
import io.surestate.statemachine.store.StateStore;
import io.surestate.statemachine.store.StoreBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies committed entries to the state and its store. {@link #apply}, {@link #checkpoint}, {@link #beginCheckpoint} and {@link
 * #close} belong to the apply thread; views and digests to any thread. An exception out of {@link #apply} means that the server
 * must stop: the engine is not to be used again.
 */
public final class StateEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateEngine.class);

    private record Published(StateView view, DigestLog digests) {}

    private final StateStore store;
    private final Core core;
    private final ChangeApplier applier;
    private final EntryCheck check;
    private volatile Published published;

    private StateEngine(StateStore store, Core core, StoredState stored, EntryCheck check) {
        this.store = store;
        this.core = core;
        this.applier = stored.applier();
        this.check = check;
        this.published = new Published(viewOf(store, stored.state()), DigestLog.of(stored.digests()));
    }

    /** As {@link #open(StateStore, FaultListener)}; faults of handlers are logged. */
    public static StateEngine open(StateStore store) {
        return open(
                store,
                (index, command, fault) -> LOG.error("handler failed index={} command={}", index, command, fault));
    }

    /**
     * Loads the live state and checks it against the stored digest; throws {@link
     * io.surestate.statemachine.row.CorruptStateException} where they differ. Takes over the store: closing the engine closes it.
     */
    public static StateEngine open(StateStore store, FaultListener faults) {
        return open(store, new Core(faults), Conservation::checkTouched);
    }

    /** With a check of one's own in the place of conservation's; to measure what that costs. */
    public static StateEngine open(StateStore store, FaultListener faults, EntryCheck check) {
        return open(store, new Core(faults), check);
    }

    static StateEngine open(StateStore store, Core core) {
        return open(store, core, Conservation::checkTouched);
    }

    private static StateEngine open(StateStore store, Core core, EntryCheck check) {
        return new StateEngine(store, core, StoredState.load(store), check);
    }

    /**
     * Applies the entries in order, writes them in one batch, then publishes the view after the last. Entries up to the present
     * revision are skipped, and answered without outcomes.
     */
    public List<AppliedEntry> apply(List<CommittedEntry> group) {
        ClusterState state = published.view().state();
        DigestLog digests = published.digests();
        List<AppliedEntry> applied = new ArrayList<>(group.size());
        StoreBatch batch = new StoreBatch();
        for (CommittedEntry entry : group) {
            if (entry.index() <= state.revision()) {
                applied.add(skipped(state, entry));
                continue;
            }
            Core.EntryDecision decision = core.decide(state, entry);
            check.check(decision.next(), decision.changes());
            ByteString digest = applier.apply(state, decision.next(), decision.changes(), batch);
            state = decision.next();
            digests = digests.plus(state.revision(), digest);
            applied.add(new AppliedEntry(
                    state.revision(), state.meta().getTimeMillis(), decision.outcomes(), decision.changes()));
        }
        if (!batch.writes().isEmpty()) {
            applier.finish(state, batch);
            store.write(batch);
            published = new Published(viewOf(store, state), digests);
        }
        return applied;
    }

    /** The newest published view. */
    public StateView view() {
        return published.view();
    }

    /** The digest at a revision, 0 = newest; empty where it is not kept. The server id is left empty. */
    public Optional<StateDigest> digest(long revision) {
        DigestLog digests = published.digests();
        long wanted = revision == 0 ? published.view().revision() : revision;
        return digests.at(wanted)
                .map(digest -> StateDigest.newBuilder()
                        .setRevision(wanted)
                        .setDigest(HexFormat.of().formatHex(digest.toByteArray()))
                        .build());
    }

    /** The oldest revision whose digest is kept; 0 = none. */
    public long oldestDigest() {
        return published.digests().oldest();
    }

    /** Makes a whole snapshot in a folder that is not there yet; the manifest is written last, everything is forced to disk. */
    public SnapshotManifest checkpoint(Path targetFolder) {
        return SnapshotFolder.seal(targetFolder, beginCheckpoint(targetFolder));
    }

    /**
     * The quick first half of {@link #checkpoint}: makes the files and returns the manifest's head. {@link SnapshotFolder#seal}
     * with both is the slow half, which reads every file and may run on any thread.
     */
    public SnapshotManifest beginCheckpoint(Path targetFolder) {
        StateView view = published.view();
        store.checkpoint(targetFolder);
        return SnapshotManifest.newBuilder()
                .setTerm(view.term())
                .setIndex(view.revision())
                .setFeatureLevel(view.state().meta().getFeatureLevel())
                .setDigest(published.digests().at(view.revision()).orElse(ByteString.EMPTY))
                .setClusterId(view.state().meta().getClusterId())
                .build();
    }

    @Override
    public void close() {
        store.close();
    }

    private static StateView viewOf(StateStore store, ClusterState state) {
        return new StateView(state, new StoredHistory(store, state.revision()), state.revision(), state.term());
    }

    private static AppliedEntry skipped(ClusterState state, CommittedEntry entry) {
        return new AppliedEntry(entry.index(), state.meta().getTimeMillis(), List.of(), List.of());
    }
}
