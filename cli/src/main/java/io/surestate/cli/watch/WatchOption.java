package io.surestate.cli.watch;

import picocli.CommandLine.Option;

/** The option of every list that can go on. */
public final class WatchOption {
    @Option(
            names = {"-w", "--watch"},
            description = "Go on with a line for each change, until interrupted.")
    private boolean watch;

    public boolean asked() {
        return watch;
    }
}
