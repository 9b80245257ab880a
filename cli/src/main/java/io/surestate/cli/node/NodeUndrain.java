package io.surestate.cli.node;

import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ssctl node undrain}. */
@Command(
        description = "End the drain of nodes: what is there may stay, and new work is placed again.",
        footer = {"", "Example:", "  ssctl node undrain node-17"})
public final class NodeUndrain implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final NodeNames nodes = new NodeNames();

    public NodeUndrain(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        nodes.uncordon(context, connection, true);
        return ExitCode.DONE;
    }
}
