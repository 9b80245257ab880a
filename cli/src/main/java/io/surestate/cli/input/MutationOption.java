package io.surestate.cli.input;

import picocli.CommandLine.Option;

/** The option of every command that changes something. */
public final class MutationOption {
    @Option(
            names = "--request-id",
            paramLabel = "ID",
            description =
                    "Repeat a request whose outcome is unknown: the same id takes effect once. Default: a new one.")
    private String requestId = "";

    /** Empty = not given. */
    public String requestId() {
        return requestId;
    }
}
