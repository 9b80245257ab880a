package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;

/** Builds one key so that unsigned byte order is the order of its parts, and no key of a table is another's prefix. */
final class KeyWriter {
    private static final int ESCAPED = 0xFF;

    private final ByteString.Output out = ByteString.newOutput(64);

    KeyWriter(int table) {
        out.write(table);
    }

    /** UTF-8 with zero bytes escaped and an end mark that sorts before every character. */
    KeyWriter text(String part) {
        for (byte b : ByteString.copyFromUtf8(part)) {
            out.write(b);
            if (b == 0) {
                out.write(ESCAPED);
            }
        }
        out.write(0);
        out.write(0);
        return this;
    }

    /** Non-negative, four bytes, big end first. */
    KeyWriter number(int part) {
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            out.write(part >>> shift);
        }
        return this;
    }

    /** Non-negative, eight bytes, big end first. */
    KeyWriter number(long part) {
        return number((int) (part >>> Integer.SIZE)).number((int) part);
    }

    ByteString done() {
        return out.toByteString();
    }
}
