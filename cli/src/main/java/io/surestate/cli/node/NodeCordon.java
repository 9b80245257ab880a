package io.surestate.cli.node;

import io.surestate.api.v1.CordonNodeRequest;
import io.surestate.api.v1.CordonNodeResponse;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl node cordon}. */
@Command(
        description = "Let nothing new be placed on nodes; what runs there runs on.",
        footer = {
            "",
            "Examples:",
            "  ssctl node cordon node-17 --reason \"fan noise\"",
            "  ssctl node cordon node-17 node-18"
        })
public final class NodeCordon implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final NodeNames nodes = new NodeNames();

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Shown with the nodes, and to jobs that wait for room.")
    private String reason = "";

    public NodeCordon(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            for (NodeNames.Asked asked : nodes.each()) {
                CordonNodeResponse reply = session.call(
                        NodesGrpc.getCordonNodeMethod(),
                        CordonNodeRequest.newBuilder()
                                .setHeader(session.header(asked.requestId()))
                                .setName(asked.node())
                                .setReason(reason)
                                .build());
                context.out()
                        .println(asked.node() + " is "
                                + (reply.getNode().getStatus().getCordon().getDrain() ? "draining, still" : "cordoned")
                                + ", at revision " + reply.getRevision());
            }
        }
        return ExitCode.DONE;
    }
}
