package io.surestate.cli.cluster;

import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.UnfreezeRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.MutationOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ssctl cluster unfreeze}. */
@Command(
        description = "End a freeze early. Leases that were stretched run out as they were granted.",
        footer = {"", "Example:", "  ssctl cluster unfreeze"})
public final class Unfreeze implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public Unfreeze(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            session.call(
                    ClusterGrpc.getUnfreezeMethod(),
                    UnfreezeRequest.newBuilder()
                            .setHeader(session.header(mutation.requestId()))
                            .build());
            context.out().println("not frozen");
        }
        return ExitCode.DONE;
    }
}
