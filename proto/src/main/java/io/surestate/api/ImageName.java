package io.surestate.api;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a group names as its image: {@code PATH}, {@code PATH:TAG} or {@code PATH@sha256:DIGEST}. Immutable.
 *
 * @param path absolute, without {@code ..}
 * @param tag empty = none said
 * @param digest {@code sha256:} and 64 hexadecimal digits; empty = none said
 */
public record ImageName(String path, String tag, String digest) {
    private static final Pattern FORM =
            Pattern.compile("(/[^:@\\x00]{0,1023})(?::([A-Za-z0-9_][A-Za-z0-9._-]{0,127})|@(sha256:[0-9a-f]{64}))?");

    /** Empty if the text is of no such form. */
    public static Optional<ImageName> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || List.of(matcher.group(1).split("/")).contains("..")) {
            return Optional.empty();
        }
        return Optional.of(new ImageName(matcher.group(1), orEmpty(matcher, 2), orEmpty(matcher, 3)));
    }

    private static String orEmpty(Matcher matcher, int group) {
        return Optional.ofNullable(matcher.group(group)).orElse("");
    }
}
