package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers in the forms of tools. */
final class Amounts {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,18}) ?([A-Za-z]*)");
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,9}");
    private static final Map<String, Integer> SHIFTS = Map.of("B", 0, "KiB", 10, "kB", 10, "MiB", 20, "GiB", 30);

    private Amounts() {}

    /** {@code 81559 MiB}, {@code 16671616KiB}. */
    static long bytes(HardwareSource source, int line, String field, String text) {
        String expected = "a size such as 81559 MiB, at most 2^50 bytes";
        Matcher size = SIZE.matcher(text);
        Integer shift = size.matches() ? SHIFTS.get(size.group(2)) : null;
        if (shift == null) {
            throw source.at(line, field, text, expected);
        }
        return bounded(source, line, field, text, new BigInteger(size.group(1)).shiftLeft(shift), expected);
    }

    /** So many times {@code 2^shift} bytes. */
    static long bytes(HardwareSource source, int line, String field, String text, int shift) {
        String expected = "a whole number, at most 2^50 bytes";
        if (!text.matches("[0-9]{1,18}")) {
            throw source.at(line, field, text, expected);
        }
        return bounded(source, line, field, text, new BigInteger(text).shiftLeft(shift), expected);
    }

    private static long bounded(
            HardwareSource source, int line, String field, String text, BigInteger bytes, String expected) {
        if (bytes.compareTo(BigInteger.valueOf(Limits.MEMORY_BYTES_MAX)) > 0) {
            throw source.at(line, field, text, expected);
        }
        return bytes.longValueExact();
    }

    /** 0 to {@code max}. */
    static int whole(HardwareSource source, int line, String field, String text, int max) {
        if (WHOLE.matcher(text).matches() && Integer.parseInt(text) <= max) {
            return Integer.parseInt(text);
        }
        throw source.at(line, field, text, "a whole number, 0 to " + max);
    }

    /** {@code 00000000:8F:00.0} as the kernel writes it: {@code 0000:8f:00.0}. */
    static String pciAddress(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.matches("0000[0-9a-f]{4}:.*") ? lower.substring(4) : lower;
    }
}
