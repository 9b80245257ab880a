package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds one key so that unsigned byte order is the order of its parts, and no key of a table is another's prefix. */
final class KeyWriter {
    private static final byte ESCAPED = (byte) 0xFF;
    private static final int CHARS_USUAL = 64;

    private byte[] bytes = new byte[CHARS_USUAL];
    private int length;

    KeyWriter(int table) {
        write((byte) table);
    }

    /** UTF-8 with zero bytes escaped and an end mark that sorts before every character. */
    KeyWriter text(String part) {
        for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
            write(b);
            if (b == 0) {
                write(ESCAPED);
            }
        }
        write((byte) 0);
        write((byte) 0);
        return this;
    }

    /** Non-negative, four bytes, big end first. */
    KeyWriter number(int part) {
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            write((byte) (part >>> shift));
        }
        return this;
    }

    /** Non-negative, eight bytes, big end first. */
    KeyWriter number(long part) {
        return number((int) (part >>> Integer.SIZE)).number((int) part);
    }

    ByteString done() {
        return ByteString.copyFrom(bytes, 0, length);
    }

    private void write(byte b) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = b;
    }
}
