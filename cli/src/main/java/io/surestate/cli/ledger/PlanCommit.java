package io.surestate.cli.ledger;

import io.surestate.api.v1.CommitPlanRequest;
import io.surestate.api.v1.CommitPlanResponse;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.RequestHeader;
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
import picocli.CommandLine.Option;

/** {@code ssctl plan commit}. */
@Command(
        description = "Commit a plan (YAML or JSON) as one entry; exit 1 with the conflicts if not all of it was.",
        footer = {
            "",
            "A plan that takes a device under a name of its own:",
            "  scheduler: mine",
            "  gangs:",
            "    - name: notebook-7",
            "      placements:",
            "        - node: node-17",
            "          nodeEpoch: 42                       see: ssctl node get node-17 -o yaml",
            "          claim: {cores: [{coreId: 3, milli: 1000}], memory: 4Gi, devices: [{ordinal: 0, milli: 1000}]}",
            "",
            "Examples:",
            "  ssctl plan commit -f plan.yaml",
            "  ssctl plan commit -f plan.yaml --validate-only"
        })
public final class PlanCommit implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "Plan; - = standard input.")
    private String file = "";

    @Option(names = "--validate-only", description = "Check everything, change nothing.")
    private boolean validateOnly;

    @Mixin
    private final MutationOption mutation = new MutationOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public PlanCommit(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        Plan plan = PlanFiles.read(file, context.in());
        try (Session session = connection.open()) {
            RequestHeader header = session.header(mutation.requestId()).toBuilder()
                    .setValidateOnly(validateOnly)
                    .build();
            CommitPlanResponse reply = session.call(
                    LedgerGrpc.getCommitPlanMethod(),
                    CommitPlanRequest.newBuilder()
                            .setHeader(header)
                            .setPlan(plan)
                            .build());
            new Printer(context.out(), output.format())
                    .one(Resource.of(Long.toString(reply.getRevision()), reply), () -> view(reply));
            return reply.getConflictsCount() == 0 ? ExitCode.DONE : ExitCode.REFUSED;
        }
    }

    private String view(CommitPlanResponse reply) {
        String head = validateOnly ? validated(reply) : committed(reply);
        String gangs = PlanText.gangs(reply.getGangsList());
        String conflicts = PlanText.conflicts(reply.getConflictsList());
        return head + (gangs.isEmpty() ? "" : "\n" + gangs) + (conflicts.isEmpty() ? "" : "\n" + conflicts);
    }

    private static String validated(CommitPlanResponse reply) {
        return reply.getConflictsCount() == 0 ? "valid; nothing was changed\n" : "would be refused\n";
    }

    private static String committed(CommitPlanResponse reply) {
        String done = reply.getConflictsCount() == 0
                ? "committed"
                : reply.getGangsCount() == 0 ? "refused" : "committed in part";
        return done + " at revision " + reply.getRevision() + "\n";
    }
}
