package io.surestate.sim.trace;

import io.surestate.api.Limits;

/**
 * How much of one trace is read.
 *
 * @param bytes unpacked, at least 1
 * @param lineChars of one line, at least 1
 * @param jobs at least 1
 */
public record TraceBounds(long bytes, int lineChars, int jobs) {
    public static TraceBounds ordinary() {
        return new TraceBounds(Limits.TRACE_BYTES_MAX, Limits.TRACE_LINE_CHARS_MAX, Limits.TRACE_JOBS_MAX);
    }
}
