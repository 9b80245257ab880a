package io.surestate.cli.ledger;

import io.surestate.api.v1.HeldGang;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.OutputFormat;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import io.surestate.manifest.dialect.EnumNames;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl hold list}. */
@Command(
        description = "List the holds that stand, oldest first.",
        footer = {
            "",
            "Examples:",
            "  ssctl hold list",
            "  ssctl hold list --all                     those too that ended within the last hour"
        })
public final class HoldList implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Option(names = "--all", description = "Also those that were confirmed, released or expired within the last hour.")
    private boolean all;

    @Mixin
    private final OutputOption output = new OutputOption();

    public HoldList(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            List<Hold> holds = HoldLists.all(session).stream()
                    .filter(hold -> all || hold.getState() == HoldState.HOLD_STATE_STANDING)
                    .toList();
            if (holds.isEmpty() && output.format() == OutputFormat.TABLE) {
                context.err().println(all ? "No holds." : "No hold stands; --all shows those that ended lately.");
                return ExitCode.DONE;
            }
            new Printer(context.out(), output.format())
                    .many(
                            "holds",
                            holds.stream()
                                    .map(hold -> Resource.of(hold.getId(), hold))
                                    .toList(),
                            () -> table(holds, new Ages(session.clusterTimeMillis())));
        }
        return ExitCode.DONE;
    }

    private static String table(List<Hold> holds, Ages ages) {
        Table table = new Table("ID", "STATE", "TENANT", "SCHEDULER", "FOR", "ALLOCATIONS", "AGE", "EXPIRES");
        for (Hold hold : holds) {
            boolean stands = hold.getState() == HoldState.HOLD_STATE_STANDING;
            table.row(
                    hold.getId(),
                    EnumNames.shortName(hold.getState().getValueDescriptor()),
                    hold.getTenant(),
                    hold.getScheduler(),
                    owners(hold.getGangsList()),
                    hold.getAllocations(),
                    ages.since(hold.getCreatedMillis()),
                    stands ? ages.until(hold.getExpiresMillis()) : "");
        }
        return table.toString();
    }

    private static String owners(List<HeldGang> gangs) {
        String first = gangs.isEmpty() ? "" : owner(gangs.get(0));
        return gangs.size() > 1 ? first + " and " + (gangs.size() - 1) + " more" : first;
    }

    private static String owner(HeldGang gang) {
        return gang.getJobUid().isEmpty() ? "name " + gang.getName() : "job " + gang.getJobUid();
    }
}
