package io.surestate.cli.simulate;

import io.surestate.api.Names;
import io.surestate.cli.CliException;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code FORM:FILE} of an option.
 *
 * @param form what is in the file, such as {@code swf}
 */
record TraceFile(String form, Path file) {
    /** @param forms that the option takes */
    static TraceFile of(String option, String text, List<String> forms) {
        int colon = text.indexOf(':');
        String form = colon < 0 ? text : text.substring(0, colon);
        if (colon < 0 || colon == text.length() - 1 || !forms.contains(form)) {
            String expected = String.join(
                    ", ", forms.stream().map(known -> known + ":FILE").toList());
            throw CliException.usage(Names.message(option, text, expected));
        }
        return new TraceFile(form, Path.of(text.substring(colon + 1)));
    }

    /** The file's own name, for people. */
    String name() {
        Path last = file.getFileName();
        return last == null ? file.toString() : last.toString();
    }
}
