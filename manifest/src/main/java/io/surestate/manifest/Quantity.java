package io.surestate.manifest;

import io.surestate.api.Names;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Amounts as people write them, in the Kubernetes forms, to and from exact integers. Parsing rejects what is negative, not a number,
 * or not a whole count of the base unit; formatting picks the shortest form that parses back to the same integer.
 */
public final class Quantity {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,18})?)([A-Za-z]*)");
    private static final Pattern DURATION_PART = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ms|s|m|h|d)");

    private static final List<Scale> MILLI = List.of(new Scale("", 1000), new Scale("m", 1));
    private static final List<Scale> BINARY = List.of(
            new Scale("Pi", 1L << 50),
            new Scale("Ti", 1L << 40),
            new Scale("Gi", 1L << 30),
            new Scale("Mi", 1L << 20),
            new Scale("Ki", 1L << 10),
            new Scale("", 1));
    private static final List<Scale> DECIMAL = List.of(
            new Scale("P", 1_000_000_000_000_000L),
            new Scale("T", 1_000_000_000_000L),
            new Scale("G", 1_000_000_000L),
            new Scale("M", 1_000_000L),
            new Scale("K", 1_000L),
            new Scale("k", 1_000L));
    private static final List<Scale> BYTES = Stream.of(
                    BINARY.stream(),
                    DECIMAL.stream(),
                    DECIMAL.stream().map(scale -> new Scale(scale.suffix + "B", scale.size)))
            .flatMap(scales -> scales)
            .toList();
    private static final List<Scale> BIT_RATE = List.of(
            new Scale("Tbps", 1_000_000_000_000L),
            new Scale("Gbps", 1_000_000_000L),
            new Scale("Mbps", 1_000_000L),
            new Scale("kbps", 1_000L),
            new Scale("Kbps", 1_000L),
            new Scale("bps", 1));
    private static final List<Scale> DURATION = List.of(
            new Scale("d", 86_400_000L),
            new Scale("h", 3_600_000L),
            new Scale("m", 60_000L),
            new Scale("s", 1_000L),
            new Scale("ms", 1L));

    private static final String CPU_EXPECTED = "cores such as 2, 0.5 or 500m";
    private static final String BYTES_EXPECTED = "bytes such as 256Gi, 1.5Gi, 128Mi or 10G";
    private static final String BIT_RATE_EXPECTED = "a bit rate such as 400Gbps or 25Gbps";
    private static final String DURATION_EXPECTED = "a duration such as 500ms, 2s, 10m or 1h30m";
    private static final String SHARE_EXPECTED = "a share of a device such as 500m, 0.5 or 1";

    /** A suffix and how many base units it stands for. */
    private record Scale(String suffix, long size) {
        static Optional<Scale> of(String suffix, List<Scale> scales) {
            return scales.stream().filter(scale -> scale.suffix.equals(suffix)).findFirst();
        }

        BigDecimal times(String number) {
            return new BigDecimal(number).multiply(BigDecimal.valueOf(size));
        }
    }

    private Quantity() {}

    /** Cores to millicores: {@code "500m"} = 500, {@code "2"} = 2000. */
    public static long cpuMillicores(String field, String text) {
        return scaled(field, text, MILLI, CPU_EXPECTED);
    }

    /** Devices to thousandths: {@code "0.5"} = 500. */
    public static long shareMilli(String field, String text) {
        return scaled(field, text, MILLI, SHARE_EXPECTED);
    }

    public static long bytes(String field, String text) {
        return scaled(field, text, BYTES, BYTES_EXPECTED);
    }

    public static long bitsPerSecond(String field, String text) {
        return scaled(field, text, BIT_RATE, BIT_RATE_EXPECTED);
    }

    /** Milliseconds; parts add up: {@code "1h30m"}. */
    public static long durationMillis(String field, String text) {
        Matcher part = DURATION_PART.matcher(text);
        BigDecimal millis = BigDecimal.ZERO;
        int end = 0;
        while (part.find() && part.start() == end) {
            millis = millis.add(inMillis(part.group(1), part.group(2)));
            end = part.end();
        }
        if (end == 0 || end != text.length()) {
            throw bad(field, text, DURATION_EXPECTED);
        }
        return exact(field, text, millis, DURATION_EXPECTED);
    }

    /** As {@link #durationMillis}. */
    public static Duration duration(String field, String text) {
        return Duration.ofMillis(durationMillis(field, text));
    }

    public static String formatMilli(long milli) {
        return milli % 1000 == 0 ? Long.toString(milli / 1000) : milli + "m";
    }

    public static String formatBytes(long bytes) {
        return largestExact(bytes, BINARY);
    }

    public static String formatBitsPerSecond(long bits) {
        return largestExact(bits, BIT_RATE);
    }

    public static String formatDuration(long millis) {
        if (millis == 0) {
            return "0s";
        }
        StringBuilder out = new StringBuilder();
        long rest = millis;
        for (Scale unit : DURATION) {
            if (rest >= unit.size) {
                out.append(rest / unit.size).append(unit.suffix);
                rest %= unit.size;
            }
        }
        return out.toString();
    }

    private static BigDecimal inMillis(String number, String unit) {
        return Scale.of(unit, DURATION).orElseThrow().times(number);
    }

    private static long scaled(String field, String text, List<Scale> scales, String expected) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw bad(field, text, expected);
        }
        Scale scale = Scale.of(form.group(2), scales).orElseThrow(() -> bad(field, text, expected));
        return exact(field, text, scale.times(form.group(1)), expected);
    }

    private static long exact(String field, String text, BigDecimal amount, String expected) {
        try {
            return amount.setScale(0, RoundingMode.UNNECESSARY).longValueExact();
        } catch (ArithmeticException notWholeOrTooLarge) {
            throw bad(field, text, expected);
        }
    }

    /** Written in the largest unit that divides it; scales are ordered from large to small and end with 1. */
    private static String largestExact(long amount, List<Scale> scales) {
        Scale ones = scales.get(scales.size() - 1);
        Scale largest = scales.stream()
                .filter(scale -> amount != 0 && amount % scale.size == 0)
                .findFirst()
                .orElse(ones);
        return amount / largest.size + largest.suffix;
    }

    private static IllegalArgumentException bad(String field, String text, String expected) {
        return new IllegalArgumentException(Names.message(field, text, expected));
    }
}
