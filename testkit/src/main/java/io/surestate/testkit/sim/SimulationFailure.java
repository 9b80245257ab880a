package io.surestate.testkit.sim;

import java.util.List;

/** A run in which something did not hold: the message says what, and what happened last; the trace goes further back. Immutable. */
public final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1;

    private final transient List<String> trace;

    SimulationFailure(String message, List<String> trace, Throwable cause) {
        super(message, cause);
        this.trace = List.copyOf(trace);
    }

    /** The last events, bounded. */
    public List<String> trace() {
        return trace;
    }
}
