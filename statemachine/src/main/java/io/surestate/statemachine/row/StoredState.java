package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.surestate.api.Limits;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Task;
import io.surestate.log.v1.RequestOutcome;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.StateLoader;
import io.surestate.statemachine.store.Family;
import io.surestate.statemachine.store.StateStore;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a store held when it was opened: the live state, the digests kept, and the applier that goes on from there. History is not
 * read.
 */
public record StoredState(ClusterState state, TreeMap<Long, ByteString> digests, ChangeApplier applier) {
    /** Loads it; throws {@link CorruptStateException} where the rows do not make up the stored digest. */
    public static StoredState load(StateStore store) {
        Sha256 sha = new Sha256();
        LiveSums sums = new LiveSums(sha);
        StateLoader loader = new StateLoader();
        store.scan(Family.LIVE, ByteString.EMPTY, ByteString.EMPTY, (key, value) -> {
            sums.add(key, value);
            add(loader, key, value);
            return true;
        });
        HistorySums history = store.get(Family.DIGEST, StateRows.HISTORY_SUMS)
                .map(HistorySums::parse)
                .orElse(HistorySums.NONE);
        ChangeApplier applier = new ChangeApplier(sha, sums, history);
        Optional<ByteString> mark = store.get(Family.META, StateRows.APPLIED);
        if (mark.isEmpty()) {
            return new StoredState(ClusterState.empty(), new TreeMap<>(), applier);
        }
        ByteBuffer applied = mark.get().asReadOnlyByteBuffer();
        long term = applied.getLong();
        long index = applied.getLong();
        ByteString stored = store.get(Family.DIGEST, StateRows.digest(index)).orElse(ByteString.EMPTY);
        if (!stored.equals(applier.digest())) {
            throw new CorruptStateException(index);
        }
        return new StoredState(loader.build(index, term), digests(store), applier);
    }

    private static TreeMap<Long, ByteString> digests(StateStore store) {
        TreeMap<Long, ByteString> found = new TreeMap<>();
        store.scan(Family.DIGEST, StateRows.digests(), ByteString.EMPTY, (key, value) -> {
            found.put(StateRows.revisionOf(key), value);
            return found.size() < 2 * Limits.DIGESTS_KEPT;
        });
        return found;
    }

    private static void add(StateLoader loader, ByteString key, ByteString value) {
        try {
            switch (key.byteAt(0)) {
                case LiveRow.META -> loader.add(ClusterMeta.parseFrom(value));
                case LiveRow.JOB -> loader.add(Job.parseFrom(value));
                case LiveRow.TASK -> loader.add(Task.parseFrom(value));
                case LiveRow.NODE -> loader.add(Node.parseFrom(value));
                case LiveRow.ALLOCATION -> loader.add(Allocation.parseFrom(value));
                case LiveRow.HOLD -> loader.add(Hold.parseFrom(value));
                case LiveRow.OUTCOME -> loader.add(RequestOutcome.parseFrom(value));
                default -> throw new CorruptStateException("table " + key.byteAt(0));
            }
        } catch (InvalidProtocolBufferException unreadable) {
            throw new CorruptStateException(unreadable);
        }
    }
}
