package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;

/** 128 bits that add up in any order: two lanes of 64, each modulo 2^64. */
record Sum(long high, long low) {
    static final int BYTES = 2 * Long.BYTES;
    static final Sum ZERO = new Sum(0, 0);

    static Sum of(ByteBuffer bytes) {
        return new Sum(bytes.getLong(), bytes.getLong());
    }

    Sum plus(Sum other) {
        return new Sum(high + other.high, low + other.low);
    }

    Sum minus(Sum other) {
        return new Sum(high - other.high, low - other.low);
    }

    void writeTo(ByteBuffer out) {
        out.putLong(high).putLong(low);
    }

    ByteString bytes() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        writeTo(out);
        return ByteString.copyFrom(out.flip());
    }
}
