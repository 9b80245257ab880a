package io.surestate.cli;

/** Ends a command without a word: nobody reads what it writes any more. */
public final class OutputClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OutputClosedException() {
        super("output closed");
    }
}
