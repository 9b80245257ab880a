package io.surestate.cli.node;

import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ssctl node uncordon}. */
@Command(
        description = "Let new work be placed on cordoned nodes again.",
        footer = {"", "Example:", "  ssctl node uncordon node-17"})
public final class NodeUncordon implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final NodeNames nodes = new NodeNames();

    public NodeUncordon(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        nodes.uncordon(context, connection, false);
        return ExitCode.DONE;
    }
}
