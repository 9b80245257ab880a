package io.surestate.agent.process;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of nodes in the short form that Slurm made usual: {@code n[1-3,7],m08}. Keeps their order. */
final class NodeList {
    private static final Pattern NUMBERED = Pattern.compile("(.*?)([0-9]{1,18})");

    private NodeList() {}

    /** Numbers in a row: same prefix, same width, one more each. */
    private record Run(String prefix, int width, long first, long last) {
        boolean goesOn(Run next) {
            return next.prefix.equals(prefix) && next.width == width && next.first == last + 1;
        }

        String text() {
            return first == last ? number(first) : number(first) + "-" + number(last);
        }

        private String number(long value) {
            String digits = Long.toString(value);
            return "0".repeat(Math.max(0, width - digits.length())) + digits;
        }
    }

    static String of(List<String> names) {
        List<String> parts = new ArrayList<>();
        List<Run> runs = new ArrayList<>();
        for (String name : names) {
            Matcher matcher = NUMBERED.matcher(name);
            if (!matcher.matches()) {
                flush(runs, parts);
                parts.add(name);
                continue;
            }
            String digits = matcher.group(2);
            long number = Long.parseLong(digits);
            // A number without leading zeros may grow by a digit.
            int width = digits.startsWith("0") ? digits.length() : 0;
            Run run = new Run(matcher.group(1), width, number, number);
            if (!runs.isEmpty() && !runs.get(0).prefix.equals(run.prefix)) {
                flush(runs, parts);
            }
            int end = runs.size() - 1;
            if (end >= 0 && joins(runs.get(end), run, digits.length())) {
                Run before = runs.get(end);
                runs.set(end, new Run(before.prefix, before.width, before.first, number));
            } else {
                runs.add(run);
            }
        }
        flush(runs, parts);
        return String.join(",", parts);
    }

    /** {@code n09} and {@code n10} are of one width although only one begins with a zero. */
    private static boolean joins(Run before, Run next, int digits) {
        return before.goesOn(next)
                || (next.width == 0
                        && before.width == digits
                        && before.goesOn(new Run(next.prefix, digits, next.first, next.last)));
    }

    private static void flush(List<Run> runs, List<String> parts) {
        if (runs.isEmpty()) {
            return;
        }
        List<String> texts = runs.stream().map(Run::text).toList();
        boolean bare = runs.size() == 1 && runs.get(0).first == runs.get(0).last;
        parts.add(runs.get(0).prefix + (bare ? texts.get(0) : "[" + String.join(",", texts) + "]"));
        runs.clear();
    }
}
