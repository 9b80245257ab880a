package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;

/**
 * The sums of all history rows, by segments of revisions. History only grows, so a segment that is over is folded into one hash:
 * the digest costs the same however long history is. Immutable.
 *
 * @param segment the one that rows are added to now
 * @param lane sum of its rows
 * @param folded hash over all segments before it
 */
record HistorySums(long segment, Sum lane, ByteString folded) {
    /** Revisions per segment, as a power of two. */
    static final int SEGMENT_BITS = 16;

    static final HistorySums NONE = new HistorySums(0, Sum.ZERO, ByteString.EMPTY);

    static HistorySums parse(ByteString stored) {
        ByteBuffer in = stored.asReadOnlyByteBuffer();
        return new HistorySums(in.getLong(), Sum.of(in), ByteString.copyFrom(in));
    }

    ByteString bytes() {
        ByteBuffer out = ByteBuffer.allocate(Long.BYTES + Sum.BYTES);
        out.putLong(segment);
        lane.writeTo(out);
        return ByteString.copyFrom(out.flip()).concat(folded);
    }

    HistorySums plus(long revision, Sum row, Sha256 sha) {
        HistorySums open = in(revision >>> SEGMENT_BITS, sha);
        return new HistorySums(open.segment, open.lane.plus(row), open.folded);
    }

    private HistorySums in(long wanted, Sha256 sha) {
        return wanted == segment ? this : new HistorySums(wanted, Sum.ZERO, sha.hash(bytes().asReadOnlyByteBuffer()));
    }
}
