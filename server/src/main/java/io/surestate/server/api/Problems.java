package io.surestate.server.api;

import io.surestate.api.Names;
import io.surestate.api.v1.ErrorCode;
import java.util.Optional;

/** Checks on one request: the first that fails refuses it. */
public final class Problems {
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
