package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's lists of names: {@code srv[1101-1108,1110],login1}; leading zeros count. */
final class HostList {
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");
    private static final String EXPECTED = "names such as node[01-16,20],login1, at most " + Limits.NODES_MAX;

    private final HardwareSource source;
    private final int line;
    private final String field;
    private final String whole;

    private HostList(HardwareSource source, int line, String field, String whole) {
        this.source = source;
        this.line = line;
        this.field = field;
        this.whole = whole;
    }

    static List<String> expand(HardwareSource source, int line, String field, String text) {
        HostList list = new HostList(source, line, field, text);
        List<String> names = new ArrayList<>();
        int begin = 0;
        int depth = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            if (c == ',' && depth == 0) {
                list.one(text.substring(begin, i), names);
                begin = i + 1;
            } else if (c == '[' || c == ']') {
                depth += c == '[' ? 1 : -1;
                list.expect(depth == 0 || depth == 1);
            }
        }
        list.expect(depth == 0);
        return List.copyOf(names);
    }

    private void one(String pattern, List<String> names) {
        expect(!pattern.isBlank());
        List<String> expanded = List.of("");
        int at = 0;
        while (at < pattern.length()) {
            int open = pattern.indexOf('[', at);
            String plain = pattern.substring(at, open < 0 ? pattern.length() : open);
            expanded = expanded.stream().map(prefix -> prefix + plain).toList();
            at = open < 0 ? pattern.length() : pattern.indexOf(']', open) + 1;
            if (open >= 0) {
                expanded = times(expanded, numbers(pattern.substring(open + 1, at - 1)));
            }
        }
        names.addAll(expanded);
        expect(names.size() <= Limits.NODES_MAX);
    }

    private List<String> times(List<String> prefixes, List<String> numbers) {
        expect((long) prefixes.size() * numbers.size() <= Limits.NODES_MAX);
        return prefixes.stream()
                .flatMap(prefix -> numbers.stream().map(number -> prefix + number))
                .toList();
    }

    private List<String> numbers(String ranges) {
        List<String> numbers = new ArrayList<>();
        for (String part : ranges.split(",", -1)) {
            Matcher range = RANGE.matcher(part);
            expect(range.matches());
            String low = range.group(1);
            int first = Integer.parseInt(low);
            int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            expect(first <= last && last - first < Limits.NODES_MAX);
            for (int number = first; number <= last; number++) {
                String digits = Integer.toString(number);
                numbers.add("0".repeat(Math.max(0, low.length() - digits.length())) + digits);
            }
        }
        return numbers;
    }

    private void expect(boolean fits) {
        if (!fits) {
            throw source.at(line, field, whole, EXPECTED);
        }
    }
}
