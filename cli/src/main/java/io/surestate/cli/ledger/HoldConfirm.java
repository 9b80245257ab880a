package io.surestate.cli.ledger;

import io.surestate.api.v1.ConfirmHoldRequest;
import io.surestate.api.v1.ConfirmHoldResponse;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.MutationOption;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ssctl hold confirm}. */
@Command(
        description = "Bind everything that a hold keeps; exit 1 if it is over or in conflict.",
        footer = {"", "Example:", "  ssctl hold confirm 00000000000000a3-000000"})
public final class HoldConfirm implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "HOLD", description = "Id.")
    private String hold = "";

    @Mixin
    private final MutationOption mutation = new MutationOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public HoldConfirm(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            ConfirmHoldResponse reply = session.call(
                    LedgerGrpc.getConfirmHoldMethod(),
                    ConfirmHoldRequest.newBuilder()
                            .setHeader(session.header(mutation.requestId()))
                            .setHold(hold)
                            .build());
            boolean confirmed = reply.getConflictsCount() == 0;
            new Printer(context.out(), output.format())
                    .one(
                            Resource.of(hold, reply),
                            () -> confirmed
                                    ? hold + " confirmed at revision " + reply.getRevision() + "\n"
                                    : hold + " not confirmed at revision " + reply.getRevision() + "\n\n"
                                            + PlanText.conflicts(reply.getConflictsList()));
            return confirmed ? ExitCode.DONE : ExitCode.REFUSED;
        }
    }
}
