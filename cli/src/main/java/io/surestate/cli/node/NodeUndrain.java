package io.surestate.cli.node;

import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.UncordonNodeRequest;
import io.surestate.api.v1.UncordonNodeResponse;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
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
        try (Session session = connection.open()) {
            for (NodeNames.Asked asked : nodes.each()) {
                UncordonNodeResponse reply = session.call(
                        NodesGrpc.getUncordonNodeMethod(),
                        UncordonNodeRequest.newBuilder()
                                .setHeader(session.header(asked.requestId()))
                                .setName(asked.node())
                                .setDrain(true)
                                .build());
                context.out().println(asked.node() + " is no longer drained, at revision " + reply.getRevision());
            }
        }
        return ExitCode.DONE;
    }
}
