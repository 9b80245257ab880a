package io.surestate.cli.cluster;

import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.FreezeRequest;
import io.surestate.api.v1.FreezeResponse;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.Durations;
import io.surestate.cli.input.MutationOption;
import io.surestate.cli.output.Ages;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl cluster freeze}. */
@Command(
        description =
                "For planned work: no node is given up and no task stopped for a while, however silent the nodes are.",
        footer = {"", "Example:", "  ssctl cluster freeze --for 30m"})
public final class Freeze implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Option(
            names = "--for",
            required = true,
            paramLabel = "DURATION",
            description = "How long from now, in cluster time: 1s to 24h. A later freeze replaces an earlier one.")
    private String length = "";

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public Freeze(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        long millis = Durations.of("--for", length).toMillis();
        try (Session session = connection.open()) {
            FreezeResponse reply = session.call(
                    ClusterGrpc.getFreezeMethod(),
                    FreezeRequest.newBuilder()
                            .setHeader(session.header(mutation.requestId()))
                            .setForMillis(millis)
                            .build());
            context.out()
                    .println("frozen until " + Ages.clock(reply.getMeta().getFrozenUntilMillis())
                            + " UTC of cluster time; ssctl cluster unfreeze ends it early");
        }
        return ExitCode.DONE;
    }
}
