package io.surestate.statemachine.state;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;

/** Assertions that stay on in production. */
public final class Invariants {
    private Invariants() {}

    /** Throws {@link IllegalStateException} where the condition does not hold. */
    @FormatMethod
    public static void check(boolean holds, @FormatString String message, Object... arguments) {
        if (!holds) {
            throw new IllegalStateException("invariant broken: " + String.format(Locale.ROOT, message, arguments));
        }
    }
}
