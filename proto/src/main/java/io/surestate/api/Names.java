package io.surestate.api;

import java.util.Optional;
import java.util.regex.Pattern;

/** What names may look like. Each check answers with what is wrong, in the form {@code field: value (expected: …)}. */
public final class Names {
    /** Scheduler of jobs and plans that name none. */
    public static final String SCHEDULER_DEFAULT = "default";

    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    private static final Pattern DNS_LABEL = Pattern.compile(LABEL);
    private static final Pattern DNS_SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._-]{1," + Limits.REQUEST_ID_CHARS_MAX + "}");
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9._-]{0,31}");
    private static final Pattern ENV_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,255}");
    private static final Pattern COUNTABLE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,127}");
    private static final int SHOWN_CHARS_MAX = 64;

    private Names() {}

    /** Jobs, tenants and nodes: a DNS subdomain of at most 253 characters. */
    public static Optional<String> subdomainProblem(String field, String value) {
        boolean fits = value.length() <= Limits.NAME_CHARS_MAX
                && DNS_SUBDOMAIN.matcher(value).matches();
        return fits
                ? Optional.empty()
                : problem(field, value, "a name of lower-case letters, digits, '-' and '.', 1-253 characters");
    }

    /** Groups: a DNS label of at most 63 characters. */
    public static Optional<String> labelProblem(String field, String value) {
        return DNS_LABEL.matcher(value).matches()
                ? Optional.empty()
                : problem(field, value, "a name of lower-case letters, digits and '-', 1-63 characters");
    }

    public static Optional<String> requestIdProblem(String field, String value) {
        return REQUEST_ID.matcher(value).matches()
                ? Optional.empty()
                : problem(field, value, "1-64 characters of letters, digits, '.', '_' and '-'");
    }

    public static Optional<String> envNameProblem(String field, String value) {
        return ENV_NAME.matcher(value).matches()
                ? Optional.empty()
                : problem(field, value, "letters, digits and '_', not beginning with a digit");
    }

    /** Accounts of a machine, as POSIX has portable ones, and with a dot for those of directories. */
    public static Optional<String> accountProblem(String field, String value) {
        return ACCOUNT.matcher(value).matches()
                ? Optional.empty()
                : problem(
                        field,
                        value,
                        "an account's name: letters, digits, '.', '_' and '-', beginning with a letter or '_', 1-32 characters");
    }

    /** Countables: {@code licenses/ansys}. */
    public static Optional<String> countableProblem(String field, String value) {
        return COUNTABLE.matcher(value).matches()
                ? Optional.empty()
                : problem(field, value, "letters, digits, '.', '_', '/' and '-', 1-128 characters");
    }

    /** The one form of every message about a bad value; long and unprintable values are made safe to show. */
    public static String message(String field, String value, String expected) {
        return field + ": " + shown(value) + " (expected: " + expected + ")";
    }

    private static Optional<String> problem(String field, String value, String expected) {
        return Optional.of(message(field, value, expected));
    }

    private static String shown(String value) {
        if (value.isEmpty()) {
            return "empty";
        }
        StringBuilder out = new StringBuilder("\"");
        value.codePoints().limit(SHOWN_CHARS_MAX).forEach(c -> {
            if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
                out.appendCodePoint(c);
            } else {
                out.append(String.format("\\u{%x}", c));
            }
        });
        if (value.codePointCount(0, value.length()) > SHOWN_CHARS_MAX) {
            out.append("...");
        }
        return out.append('"').toString();
    }
}
