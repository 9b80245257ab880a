package io.surestate.cli.simulate;

import io.surestate.api.Names;
import io.surestate.cli.CliException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** {@code SEED} or {@code FROM-TO} of an option. */
final class SeedRange {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15})(?:-(\\d{1,15}))?");
    private static final int SEEDS_MAX = 1_000;

    private SeedRange() {}

    static List<Long> of(String option, String text) {
        Matcher parts = FORM.matcher(text);
        if (parts.matches()) {
            long from = Long.parseLong(parts.group(1));
            long to = parts.group(2) == null ? from : Long.parseLong(parts.group(2));
            if (to >= from && to - from < SEEDS_MAX) {
                return LongStream.rangeClosed(from, to).boxed().toList();
            }
        }
        throw CliException.usage(
                Names.message(option, text, "a number from 0, or FROM-TO, at most " + SEEDS_MAX + " of them"));
    }
}
