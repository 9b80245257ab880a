package io.surestate.cli.ledger;

import io.surestate.api.v1.Hold;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ReleaseHoldRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.MutationOption;
import io.surestate.manifest.dialect.EnumNames;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ssctl hold release}. */
@Command(
        description = "End a hold and free what it keeps; one that is over stays as it is.",
        footer = {"", "Example:", "  ssctl hold release 00000000000000a3-000000"})
public final class HoldRelease implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "HOLD", description = "Id.")
    private String hold = "";

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public HoldRelease(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            Hold now = session.call(
                            LedgerGrpc.getReleaseHoldMethod(),
                            ReleaseHoldRequest.newBuilder()
                                    .setHeader(session.header(mutation.requestId()))
                                    .setHold(hold)
                                    .build())
                    .getHold();
            context.out()
                    .println(now.getId() + " is "
                            + EnumNames.shortName(now.getState().getValueDescriptor()));
        }
        return ExitCode.DONE;
    }
}
