package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.surestate.api.Limits;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.store.Family;
import io.surestate.statemachine.store.StoreBatch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns the changes of each entry into rows of a batch and into the digest, so that neither can differ from the state. A live row
 * is written as the state has it after the entry; its sum before is taken from the state before. Apply thread only.
 */
public final class ChangeApplier {
    private final Sha256 sha;
    private final LiveSums live;
    private HistorySums history;

    ChangeApplier(Sha256 sha, LiveSums live, HistorySums history) {
        this.sha = sha;
        this.live = live;
        this.history = history;
    }

    /** Adds one entry to the batch and returns the digest of the state after it. */
    public ByteString apply(ClusterState before, ClusterState after, List<Change> changes, StoreBatch batch) {
        TouchedRows touched = new TouchedRows(after.revision());
        changes.forEach(change -> change.accept(touched));
        for (LiveRow row : touched.live()) {
            writeLive(row, before, after, batch);
        }
        writeHistory(touched.history(), after.revision(), batch);
        ByteString digest = digest();
        batch.put(Family.DIGEST, StateRows.digest(after.revision()), digest);
        if (after.revision() > Limits.DIGESTS_KEPT) {
            batch.delete(Family.DIGEST, StateRows.digest(after.revision() - Limits.DIGESTS_KEPT));
        }
        return digest;
    }

    /** Adds the mark of how far the log is applied with this batch. */
    public void finish(ClusterState last, StoreBatch batch) {
        ByteBuffer mark =
                ByteBuffer.allocate(2 * Long.BYTES).putLong(last.term()).putLong(last.revision());
        batch.put(Family.META, StateRows.APPLIED, ByteString.copyFrom(mark.flip()));
    }

    ByteString digest() {
        return sha.hash(live.bytes(), history.bytes().asReadOnlyByteBuffer());
    }

    private void writeLive(LiveRow row, ClusterState before, ClusterState after, StoreBatch batch) {
        Optional<? extends MessageLite> old = row.in(before);
        Optional<? extends MessageLite> now = row.in(after);
        if (old.equals(now)) {
            return;
        }
        ByteString key = row.key();
        old.ifPresent(value -> live.remove(key, value.toByteString()));
        if (now.isPresent()) {
            ByteString value = now.get().toByteString();
            live.add(key, value);
            batch.put(Family.LIVE, key, value);
        } else {
            batch.delete(Family.LIVE, key);
        }
    }

    private void writeHistory(Map<ByteString, ByteString> rows, long revision, StoreBatch batch) {
        if (rows.isEmpty()) {
            return;
        }
        rows.forEach((key, value) -> {
            batch.put(Family.HISTORY, key, value);
            history = history.plus(revision, sha.rowSum(key, value), sha);
        });
        batch.put(Family.DIGEST, StateRows.HISTORY_SUMS, history.bytes());
        batch.put(
                Family.DIGEST,
                StateRows.segment(history.segment()),
                history.lane().bytes());
    }
}
