package io.surestate.cli.output;

import picocli.CommandLine.Option;

/** The option of every command that shows something. */
public final class OutputOption {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table, json, yaml or name. Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    public OutputFormat format() {
        return format;
    }
}
