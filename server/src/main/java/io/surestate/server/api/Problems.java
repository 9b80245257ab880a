package io.surestate.server.api;

import io.surestate.api.Names;
import io.surestate.api.v1.ErrorCode;
import java.util.Optional;

/** Checks on one request: the first that fails refuses it. */
public final class Problems {
    private static final long SECOND_MILLIS = 1_000;
    private static final long MINUTE_MILLIS = 60 * SECOND_MILLIS;
    private static final long HOUR_MILLIS = 60 * MINUTE_MILLIS;
    private static final long DAY_MILLIS = 24 * HOUR_MILLIS;

    private Problems() {}

    public static void require(Optional<String> problem) {
        problem.ifPresent(message -> {
            throw invalid(message);
        });
    }

    public static void range(String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw invalid(field + ": " + value + " (expected: " + min + "-" + max + ")");
        }
    }

    /** As {@link #range}, of a time in milliseconds whose bounds are told in larger units. */
    public static void duration(String field, long millis, long min, long max) {
        if (millis < min || millis > max) {
            throw invalid(field + ": " + millis + " ms (expected: " + words(min) + " to " + words(max) + ")");
        }
    }

    /** In the largest unit of which it is a whole number; a day is 24 h. */
    private static String words(long millis) {
        if (millis % DAY_MILLIS == 0 && millis > DAY_MILLIS) {
            return millis / DAY_MILLIS + " days";
        }
        if (millis % HOUR_MILLIS == 0 && millis > 0) {
            return millis / HOUR_MILLIS + " h";
        }
        if (millis % MINUTE_MILLIS == 0 && millis > 0) {
            return millis / MINUTE_MILLIS + " min";
        }
        return millis % SECOND_MILLIS == 0 ? millis / SECOND_MILLIS + " s" : millis + " ms";
    }

    public static void length(String field, String value, int max) {
        if (value.length() > max) {
            throw invalid(field + ": " + value.length() + " characters (expected: at most " + max + ")");
        }
    }

    public static void noNul(String field, String value) {
        if (value.indexOf('\0') >= 0) {
            throw invalid(Names.message(field, value, "no NUL character"));
        }
    }

    public static Refused invalid(String message) {
        return Refused.of(ErrorCode.ERROR_CODE_INVALID_ARGUMENT, message);
    }

    public static Refused unsupported(String message) {
        return Refused.of(ErrorCode.ERROR_CODE_UNSUPPORTED, message);
    }
}
