package io.surestate.manifest.dialect;

import io.surestate.api.Names;
import io.surestate.api.v1.Unit;
import io.surestate.manifest.Quantity;
import java.time.DateTimeException;
import java.time.Instant;

/** Integers with a unit, to and from their written form. */
final class UnitText {
    private UnitText() {}

    /** @throws IllegalArgumentException with the whole message */
    static long parse(Unit unit, String field, String text) {
        return switch (unit) {
            case UNIT_CPU -> Quantity.cpuMillicores(field, text);
            case UNIT_BYTES -> Quantity.bytes(field, text);
            case UNIT_BIT_RATE -> Quantity.bitsPerSecond(field, text);
            case UNIT_DURATION -> Quantity.durationMillis(field, text);
            case UNIT_SHARE -> Quantity.shareMilli(field, text);
            case UNIT_INSTANT -> instant(field, text);
            case UNIT_UNSPECIFIED, UNRECOGNIZED -> Long.parseLong(text);
        };
    }

    static String format(Unit unit, long value) {
        return switch (unit) {
            case UNIT_CPU, UNIT_SHARE -> Quantity.formatMilli(value);
            case UNIT_BYTES -> Quantity.formatBytes(value);
            case UNIT_BIT_RATE -> Quantity.formatBitsPerSecond(value);
            case UNIT_DURATION -> Quantity.formatDuration(value);
            case UNIT_INSTANT -> Instant.ofEpochMilli(value).toString();
            case UNIT_UNSPECIFIED, UNRECOGNIZED -> Long.toString(value);
        };
    }

    private static long instant(String field, String text) {
        try {
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeException | ArithmeticException notAnInstant) {
            throw new IllegalArgumentException(
                    Names.message(field, text, "an instant in UTC such as 2026-11-30T08:00:00Z"), notAnInstant);
        }
    }
}
