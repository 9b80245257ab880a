package io.surestate.manifest;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * What is wrong with the form of a text. Immutable.
 *
 * @param line from 1; 0 = unknown
 * @param text one line, without excerpts of the text
 */
public record SyntaxProblem(int line, String text) {
    /** What the parser was doing, if it says so, and what it met, and where it met that. */
    public static SyntaxProblem of(JsonProcessingException syntax) {
        JsonLocation where = syntax.getLocation();
        int line = where == null ? 0 : Math.max(0, where.getLineNr());
        if (syntax.getCause() instanceof MarkedYAMLException marked) {
            String text = Stream.concat(Stream.ofNullable(marked.getContext()), Stream.ofNullable(marked.getProblem()))
                    .map(SyntaxProblem::firstLine)
                    .collect(Collectors.joining(": "));
            // The exception's own location is that of the last token before.
            return new SyntaxProblem(
                    marked.getProblemMark() == null
                            ? line
                            : marked.getProblemMark().getLine() + 1,
                    text);
        }
        return new SyntaxProblem(line, firstLine(String.valueOf(syntax.getOriginalMessage())));
    }

    /** {@code source:line: text}. */
    public String in(String source) {
        return source + (line == 0 ? "" : ":" + line) + ": " + text;
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
