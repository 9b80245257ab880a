package io.surestate.sim.trace;

import io.surestate.api.Names;

/** A trace that says what no trace can say, or more than one may. The message names file, line and value. */
public final class TraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TraceException(String message) {
        super(message);
    }

    /** {@code FILE:LINE: field: value (expected: …)}. */
    public static TraceException at(TraceLines lines, String field, String value, String expected) {
        return new TraceException(lines.place() + ": " + Names.message(field, value, expected));
    }
}
