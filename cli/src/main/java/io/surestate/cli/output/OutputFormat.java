package io.surestate.cli.output;

/** How a result is written. */
public enum OutputFormat {
    /** For people. */
    TABLE,
    JSON,
    YAML,
    /** Names alone, one a line. */
    NAME
}
