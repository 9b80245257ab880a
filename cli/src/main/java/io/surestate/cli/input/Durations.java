package io.surestate.cli.input;

import io.surestate.cli.CliException;
import io.surestate.manifest.Quantity;
import java.time.Duration;

/** Lengths of time as people type them. */
public final class Durations {
    private Durations() {}

    /** Such as {@code 30m} or {@code 1h30m}; a usage error that names the option where it is none. */
    public static Duration of(String option, String typed) {
        try {
            return Quantity.duration(option, typed);
        } catch (IllegalArgumentException bad) {
            throw CliException.usage(String.valueOf(bad.getMessage()));
        }
    }
}
