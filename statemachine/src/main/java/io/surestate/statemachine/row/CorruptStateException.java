package io.surestate.statemachine.row;

/** Stored rows are not what was written: the data folder must not be used. */
public final class CorruptStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorruptStateException(long index) {
        super("state at index " + index + ": another digest (expected: the one stored with it)");
    }

    CorruptStateException(String row) {
        super("row: " + row + " (expected: a row of a known table)");
    }

    /** A row's content cannot be read. */
    public CorruptStateException(Throwable cause) {
        super("row: unreadable (expected: an encoded entity)", cause);
    }
}
