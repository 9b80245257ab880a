package io.surestate.sim.trace;

import io.surestate.api.Limits;

/**
 * How much of one trace is read.
 *
 * @param bytes unpacked, at least 1
 * @param lineChars of one line, at least 1
 * @param rows jobs, pods or nodes, at least 1
 */
public record TraceBounds(long bytes, int lineChars, int rows) {
    public static TraceBounds ordinary() {
        return new TraceBounds(Limits.TRACE_BYTES_MAX, Limits.TRACE_LINE_CHARS_MAX, Limits.TRACE_JOBS_MAX);
    }

    /** The same with another bound of bytes. */
    public TraceBounds withBytes(long most) {
        return new TraceBounds(most, lineChars, rows);
    }

    /** The same with another bound of rows. */
    public TraceBounds withRows(int most) {
        return new TraceBounds(bytes, lineChars, most);
    }
}
