package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The sums of all live rows, in buckets by key so that a mismatch can be narrowed down. Apply thread only. */
final class LiveSums {
    static final int BUCKETS = 256;

    private final Sum[] buckets = new Sum[BUCKETS];
    private final Sha256 sha;

    LiveSums(Sha256 sha) {
        this.sha = sha;
        Arrays.fill(buckets, Sum.ZERO);
    }

    void add(ByteString key, ByteString value) {
        int bucket = bucket(key);
        buckets[bucket] = buckets[bucket].plus(sha.rowSum(key, value));
    }

    void remove(ByteString key, ByteString value) {
        int bucket = bucket(key);
        buckets[bucket] = buckets[bucket].minus(sha.rowSum(key, value));
    }

    ByteBuffer bytes() {
        ByteBuffer out = ByteBuffer.allocate(BUCKETS * Sum.BYTES);
        for (Sum bucket : buckets) {
            bucket.writeTo(out);
        }
        return out.flip();
    }

    /** Any stable spread of keys will do. */
    private static int bucket(ByteString key) {
        int hash = 1;
        for (byte b : key) {
            hash = 31 * hash + b;
        }
        return (hash ^ hash >>> 8 ^ hash >>> 16 ^ hash >>> 24) & (BUCKETS - 1);
    }
}
