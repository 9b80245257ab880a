package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sets of small numbers (cores, NUMA places) in the forms of tools. */
final class CpuSets {
    /** The highest core number that is understood, and some. */
    private static final int NUMBER_MAX = 4 * Limits.CORES_PER_NODE_MAX;

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,6})(?:-([0-9]{1,6}))?");
    private static final Pattern WORD = Pattern.compile("(?:0x)?([0-9a-fA-F]{1,8})");
    private static final int WORD_BITS = 32;

    private CpuSets() {}

    /** {@code 0-31,64-95}. */
    static BitSet list(HardwareSource source, int line, String field, String text) {
        BitSet set = new BitSet();
        for (String part : text.split(",", -1)) {
            Matcher range = RANGE.matcher(part.strip());
            if (!range.matches()) {
                throw source.at(line, field, text, "a list such as 0-31,64-95");
            }
            int first = Integer.parseInt(range.group(1));
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (last < first || last >= NUMBER_MAX) {
                throw source.at(line, field, text, "ascending ranges below " + NUMBER_MAX);
            }
            set.set(first, last + 1);
        }
        return set;
    }

    /** Words of 32 bits, the highest first: {@code 00000000,00ffffff}, {@code 0xff,,0x1}; an empty word is zero. */
    static BitSet mask(HardwareSource source, int line, String field, String text) {
        String[] words = text.split(",", -1);
        if (words.length * WORD_BITS > NUMBER_MAX) {
            throw source.at(line, field, text, "at most " + NUMBER_MAX / WORD_BITS + " words");
        }
        BitSet set = new BitSet();
        for (int i = 0; i < words.length; i++) {
            String word = words[i].strip();
            if (word.isEmpty()) {
                continue;
            }
            Matcher hex = WORD.matcher(word);
            if (!hex.matches()) {
                throw source.at(line, field, text, "hexadecimal words such as 0x000000ff,0xffffffff");
            }
            long bits = Long.parseLong(hex.group(1), 16);
            int base = (words.length - 1 - i) * WORD_BITS;
            for (int bit = 0; bit < WORD_BITS; bit++) {
                if ((bits >> bit & 1) == 1) {
                    set.set(base + bit);
                }
            }
        }
        return set;
    }

    static List<Integer> ascending(BitSet set) {
        return set.stream().boxed().toList();
    }
}
