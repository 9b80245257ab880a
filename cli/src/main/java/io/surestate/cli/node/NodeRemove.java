package io.surestate.cli.node;

import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.RemoveNodeRequest;
import io.surestate.api.v1.RemoveNodeResponse;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.MutationOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ssctl node remove}. */
@Command(
        description = "Forget a planned node; a node that an agent registered stays.",
        footer = {"", "Example:", "  ssctl node remove planned-1"})
public final class NodeRemove implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "NODE", description = "Name.")
    private String name = "";

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public NodeRemove(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            RemoveNodeResponse reply = session.call(
                    NodesGrpc.getRemoveNodeMethod(),
                    RemoveNodeRequest.newBuilder()
                            .setHeader(session.header(mutation.requestId()))
                            .setName(name)
                            .build());
            context.out().println(name + " removed at revision " + reply.getRevision());
        }
        return ExitCode.DONE;
    }
}
