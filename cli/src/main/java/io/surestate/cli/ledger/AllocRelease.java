package io.surestate.cli.ledger;

import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ReleaseAllocationsRequest;
import io.surestate.api.v1.ReleaseAllocationsResponse;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.MutationOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ssctl alloc release}. */
@Command(
        description = "Free everything that stands under a name: its owner says that nothing uses it any more.",
        footer = {"", "Example:", "  ssctl alloc release notebook-7"})
public final class AllocRelease implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(
            paramLabel = "NAME",
            description = "As in the plan. What tasks hold is released by their nodes, never by this.")
    private String name = "";

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public AllocRelease(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            ReleaseAllocationsResponse reply = session.call(
                    LedgerGrpc.getReleaseAllocationsMethod(),
                    ReleaseAllocationsRequest.newBuilder()
                            .setHeader(session.header(mutation.requestId()))
                            .setName(name)
                            .build());
            context.out().println(name + ": " + reply.getReleased() + " released at revision " + reply.getRevision());
        }
        return ExitCode.DONE;
    }
}
