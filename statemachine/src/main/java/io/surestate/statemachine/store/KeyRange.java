package io.surestate.statemachine.store;

import com.google.protobuf.ByteString;

/** Bounds of key ranges. */
final class KeyRange {
    private KeyRange() {}

    /** The smallest key that is greater than every key with this prefix; empty = there is none. */
    static ByteString after(ByteString prefix) {
        byte[] bytes = prefix.toByteArray();
        for (int i = bytes.length - 1; i >= 0; i--) {
            if (bytes[i] != (byte) 0xFF) {
                bytes[i]++;
                return ByteString.copyFrom(bytes, 0, i + 1);
            }
        }
        return ByteString.EMPTY;
    }
}
