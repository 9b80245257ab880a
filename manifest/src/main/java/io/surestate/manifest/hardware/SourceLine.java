package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One line of a text. Immutable.
 *
 * @param number from 1
 * @param text without terminal control codes and blanks at its end
 */
record SourceLine(int number, String text) {
    private static final Pattern CONTROL_CODE = Pattern.compile("\u001b\\[[0-9;?]*[A-Za-z]");

    /** All lines; {@code \r\n} ends a line too. */
    static List<SourceLine> of(HardwareSource source) {
        List<SourceLine> lines = new ArrayList<>();
        int begin = 0;
        String text = source.text();
        while (begin < text.length()) {
            int end = text.indexOf('\n', begin);
            int stop = end < 0 ? text.length() : end;
            if (stop - begin > Limits.HARDWARE_LINE_CHARS_MAX) {
                throw source.at(
                        lines.size() + 1,
                        (stop - begin) + " characters (expected: lines of at most " + Limits.HARDWARE_LINE_CHARS_MAX
                                + ")");
            }
            String plain = CONTROL_CODE.matcher(text.substring(begin, stop)).replaceAll("");
            lines.add(new SourceLine(lines.size() + 1, plain.stripTrailing().isEmpty() ? "" : stripReturn(plain)));
            begin = stop + 1;
        }
        return lines;
    }

    private static String stripReturn(String text) {
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    boolean isComment() {
        return text.stripLeading().startsWith("#");
    }

    boolean isBlank() {
        return text.isBlank();
    }
}
