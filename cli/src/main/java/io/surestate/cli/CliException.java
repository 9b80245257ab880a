package io.surestate.cli;

/** Ends a command: a message for the user and an exit code. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** @param message {@code CODE: what is wrong} */
    public CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }

    /** What was asked for does not make sense as asked. */
    public static CliException usage(String message) {
        return new CliException(ExitCode.USAGE, "USAGE: " + message);
    }

    /** What was asked for was refused. */
    public static CliException refused(String message) {
        return new CliException(ExitCode.REFUSED, message);
    }
}
