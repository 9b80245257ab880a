package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;

/** Keys of the rows that tell how far the store is and what its digests are. */
public final class StateRows {
    /** Term and index of the last applied entry. */
    static final ByteString APPLIED = ByteString.copyFromUtf8("applied");

    static final ByteString HISTORY_SUMS = ByteString.copyFromUtf8("f");

    private static final int DIGEST = 'r';
    private static final int SEGMENT = 's';

    private StateRows() {}

    static ByteString digests() {
        return new KeyWriter(DIGEST).done();
    }

    static ByteString digest(long revision) {
        return new KeyWriter(DIGEST).number(revision).done();
    }

    static long revisionOf(ByteString digestKey) {
        return digestKey.substring(1).asReadOnlyByteBuffer().getLong();
    }

    /** The sum of a segment of history, kept so that a mismatch can be narrowed down. */
    static ByteString segment(long segment) {
        return new KeyWriter(SEGMENT).number(segment).done();
    }
}
