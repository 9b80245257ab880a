package io.surestate.cli;

/** What the program's exit says. */
public final class ExitCode {
    public static final int DONE = 0;
    /** The request was understood and refused, or what was waited for did not come about. */
    public static final int REFUSED = 1;

    public static final int USAGE = 2;
    /** No server answered, or none could. */
    public static final int UNAVAILABLE = 3;
    /** A change was sent and may or may not have taken effect; it may be repeated under its request id. */
    public static final int OUTCOME_UNKNOWN = 4;

    /** The reader of the output went away: what a shell reports of a program that a broken pipe ended. */
    public static final int OUTPUT_CLOSED = 141;

    private ExitCode() {}
}
