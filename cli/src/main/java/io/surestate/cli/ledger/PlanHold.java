package io.surestate.cli.ledger;

import io.surestate.api.v1.HoldPlanRequest;
import io.surestate.api.v1.HoldPlanResponse;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.Plan;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.Durations;
import io.surestate.cli.input.MutationOption;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl plan hold}. */
@Command(
        description =
                "Keep the places of a plan (YAML or JSON) for a time; exit 1 with the conflicts if they are not free.",
        footer = {
            "",
            "The plan is written as for ssctl plan commit.",
            "",
            "Examples:",
            "  ssctl plan hold -f plan.yaml --ttl 10m    prints the hold's id",
            "  ssctl hold confirm ID                     binds what it keeps"
        })
public final class PlanHold implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "Plan; - = standard input.")
    private String file = "";

    @Option(
            names = "--ttl",
            required = true,
            paramLabel = "DURATION",
            description = "How long at most, in cluster time: 1s to 7 days (168h).")
    private String ttl = "";

    @Mixin
    private final MutationOption mutation = new MutationOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public PlanHold(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        long ttlMillis = Durations.of("--ttl", ttl).toMillis();
        Plan plan = PlanFiles.read(file, context.in());
        try (Session session = connection.open()) {
            HoldPlanResponse reply = session.call(
                    LedgerGrpc.getHoldPlanMethod(),
                    HoldPlanRequest.newBuilder()
                            .setHeader(session.header(mutation.requestId()))
                            .setPlan(plan)
                            .setTtlMillis(ttlMillis)
                            .build());
            String id = reply.getHold().getId();
            new Printer(context.out(), output.format())
                    .one(
                            Resource.of(id, reply),
                            () -> reply.hasHold()
                                    ? id + "\n"
                                    : "not held at revision " + reply.getRevision() + "\n\n"
                                            + PlanText.conflicts(reply.getConflictsList()));
            return reply.hasHold() ? ExitCode.DONE : ExitCode.REFUSED;
        }
    }
}
