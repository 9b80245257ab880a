package io.surestate.statemachine;

import com.google.protobuf.ByteString;
import io.surestate.api.Limits;
import java.util.Optional;
import java.util.SortedMap;
import org.pcollections.TreePMap;

/** The digests of the last revisions, as many as are kept. Immutable. */
record DigestLog(TreePMap<Long, ByteString> byRevision) {
    static DigestLog of(SortedMap<Long, ByteString> stored) {
        return new DigestLog(TreePMap.fromSortedMap(stored));
    }

    DigestLog plus(long revision, ByteString digest) {
        TreePMap<Long, ByteString> more = byRevision.plus(revision, digest);
        return new DigestLog(more.size() > Limits.DIGESTS_KEPT ? more.minusFirstEntry() : more);
    }

    Optional<ByteString> at(long revision) {
        return Optional.ofNullable(byRevision.get(revision));
    }

    long oldest() {
        return byRevision.isEmpty() ? 0 : byRevision.firstKey();
    }
}
