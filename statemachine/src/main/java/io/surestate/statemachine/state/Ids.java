package io.surestate.statemachine.state;

import java.util.HexFormat;

/** Ids of what an entry makes: {@code <log index>-<ordinal in the entry>}, so padded that string order is age order. */
public final class Ids {
    private static final int ORDINAL_DIGITS = 6;
    private static final int LENGTH = 16 + 1 + ORDINAL_DIGITS;
    private static final HexFormat HEX = HexFormat.of();

    private Ids() {}

    /** The id of the entry's ordinal-th creation; ordinals stay below 2^24. */
    public static String of(long index, int ordinal) {
        Invariants.check(index >= 0 && ordinal >= 0 && ordinal < 1 << 24, "id %d-%d", index, ordinal);
        return HEX.toHexDigits(index) + "-" + HEX.toHexDigits(ordinal, ORDINAL_DIGITS);
    }

    /** Whether the text has the form of an id made by an entry up to this index. */
    public static boolean madeUpTo(String text, long index) {
        if (text.length() != LENGTH || text.charAt(16) != '-') {
            return false;
        }
        boolean hex = text.chars().allMatch(c -> c == '-' || HexFormat.isHexDigit(c))
                && text.chars().filter(c -> c == '-').count() == 1;
        return hex && text.compareTo(of(index, (1 << 24) - 1)) <= 0;
    }
}
