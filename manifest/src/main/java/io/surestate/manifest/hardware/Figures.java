package io.surestate.manifest.hardware;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Readings as tools print them, a number with a unit behind it. What is no number reads as zero: a reading is worth no error. */
final class Figures {
    private static final Pattern NUMBER = Pattern.compile("[^0-9+-]{0,8}([0-9]{1,15}(?:\\.[0-9]{1,9})?)[^0-9].*");

    private Figures() {}

    /** {@code 165.93 W}, {@code (1500Mhz)}, {@code 47.0}; never negative. */
    static double of(String text) {
        Matcher number = NUMBER.matcher(text + " ");
        return number.matches() ? Double.parseDouble(number.group(1)) : 0;
    }

    /** The next whole number. */
    static int whole(String text) {
        return (int) Math.min(Integer.MAX_VALUE, Math.round(of(text)));
    }

    /** Of a count or an amount. */
    static long amount(String text) {
        return Math.round(of(text));
    }

    /** {@code 45 %} = 450; at most 1,000. */
    static int percentInMilli(String text) {
        return (int) Math.min(1_000, Math.round(of(text) * 10));
    }
}
