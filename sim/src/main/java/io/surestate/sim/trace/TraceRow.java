package io.surestate.sim.trace;

import io.surestate.api.Names;
import java.util.List;

/** One line of a trace, as cells under names. Immutable. */
public final class TraceRow {
    /** Far beyond any trace, so that sums do not overflow. */
    private static final long NUMBER_MAX = 1_000_000_000_000_000L;

    private final String place;
    private final List<String> columns;
    private final String[] cells;

    TraceRow(String place, List<String> columns, String[] cells) {
        this.place = place;
        this.columns = columns;
        this.cells = cells;
    }

    /** As it stands; empty where there is no such column. */
    public String text(String column) {
        int at = columns.indexOf(column);
        return at < 0 ? "" : cells[at].strip();
    }

    /** Not empty. */
    public String name(String column) {
        String value = text(column);
        if (value.isEmpty()) {
            throw wrong(column, value, "a name");
        }
        return value;
    }

    /** A whole number from 0 to that bound. */
    public long whole(String column, long max) {
        String value = text(column);
        String expected = "a whole number, 0-" + max;
        try {
            long whole = Long.parseLong(value);
            if (whole >= 0 && whole <= max) {
                return whole;
            }
        } catch (NumberFormatException notANumber) {
            throw wrong(column, value, expected);
        }
        throw wrong(column, value, expected);
    }

    /** A whole number, at least 0. */
    public long whole(String column) {
        return whole(column, NUMBER_MAX);
    }

    /** A number, at least 0. */
    public double number(String column) {
        String value = text(column);
        String expected = "a number, 0-" + NUMBER_MAX;
        try {
            double number = Double.parseDouble(value);
            if (number >= 0 && number <= NUMBER_MAX) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw wrong(column, value, expected);
        }
        throw wrong(column, value, expected);
    }

    /** What to throw about a cell: {@code FILE:LINE: column: value (expected: …)}. */
    public TraceException wrong(String column, String value, String expected) {
        return new TraceException(place + ": " + Names.message(column, value, expected));
    }
}
