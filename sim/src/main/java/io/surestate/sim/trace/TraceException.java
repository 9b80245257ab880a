package io.surestate.sim.trace;

/** A file of a simulation that says what it cannot say, or more than it may. The message names file, line and value. */
public final class TraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TraceException(String message) {
        super(message);
    }
}
