package io.surestate.manifest.hardware;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One logical line of a Slurm configuration: {@code Key=value Key=value}. Immutable.
 *
 * @param number of its first physical line
 * @param values by key in lower case, as written
 */
record SlurmLine(int number, Map<String, String> values) {
    private static final Pattern PAIR =
            Pattern.compile("\\s*([A-Za-z][A-Za-z0-9]*)\\s*=\\s*(\"[^\"]*\"|[^\\s\"]*)\\s*");

    /** A backslash at the end joins lines; {@code #} begins a comment; lines without a pair are refused. */
    static List<SlurmLine> of(HardwareSource source) {
        List<SlurmLine> lines = new ArrayList<>();
        StringBuilder joined = new StringBuilder();
        int first = 0;
        for (SourceLine line : SourceLine.of(source)) {
            first = joined.length() == 0 ? line.number() : first;
            int comment = line.text().indexOf('#');
            String text = (comment < 0 ? line.text() : line.text().substring(0, comment)).stripTrailing();
            if (text.endsWith("\\")) {
                joined.append(text, 0, text.length() - 1).append(' ');
                continue;
            }
            String whole = joined.append(text).toString();
            joined.setLength(0);
            if (!whole.isBlank()) {
                lines.add(parse(source, first, whole));
            }
        }
        if (joined.length() > 0) {
            throw source.at(first, "a backslash at the end (expected: a line that goes on)");
        }
        return lines;
    }

    private static SlurmLine parse(HardwareSource source, int number, String text) {
        Map<String, String> values = new LinkedHashMap<>();
        Matcher pair = PAIR.matcher(text);
        int end = 0;
        while (pair.find() && pair.start() == end) {
            String value = pair.group(2);
            String bare = value.startsWith("\"") ? value.substring(1, value.length() - 1) : value;
            if (values.put(pair.group(1).toLowerCase(Locale.ROOT), bare) != null) {
                throw source.at(number, pair.group(1), value, "each key once");
            }
            end = pair.end();
        }
        if (end != text.length()) {
            throw source.at(number, "line", text.substring(end).strip(), "Key=value pairs");
        }
        return new SlurmLine(number, values);
    }

    /** What kind of line it is, in lower case. */
    String kind() {
        return values.keySet().iterator().next();
    }

    /** Empty where it is not there. */
    String value(String key) {
        return values.getOrDefault(key, "");
    }
}
