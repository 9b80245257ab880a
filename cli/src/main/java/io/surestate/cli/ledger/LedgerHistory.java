package io.surestate.cli.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListHistoryRequest;
import io.surestate.api.v1.ListHistoryResponse;
import io.surestate.api.v1.PageRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.AllocationText;
import io.surestate.cli.output.OutputFormat;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ssctl ledger history}. */
@Command(
        description =
                "Tell who held something, since when, by whose plan: every change, allocation by allocation, oldest first "
                        + "within each. PLAN REVISION is the revision that committed the plan.",
        footer = {
            "",
            "Examples:",
            "  ssctl ledger history node-17                   all of a node",
            "  ssctl ledger history node-17/3                 its device 3",
            "  ssctl ledger history count-up                  a job, live or finished",
            "  ssctl ledger history 00000000000000a3-000001   an allocation"
        })
public final class LedgerHistory implements Callable<Integer> {
    private static final int PAGE_SIZE = 1_000;

    private final CliContext context;
    private final Connection connection;

    @Parameters(
            paramLabel = "SUBJECT",
            description =
                    "ALLOCATION, NODE, NODE/DEVICE or JOB. Where a node and a job have one name, the node is meant; "
                            + "a job can be named by its uid.")
    private String subject = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    public LedgerHistory(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            ListHistoryRequest asked = HistorySubject.find(session, subject);
            List<Allocation> changes = changes(session, asked);
            if (changes.isEmpty() && asked.hasDevice()) {
                HistorySubject.requireNode(session, asked.getDevice().getNode());
            }
            if (changes.isEmpty() && output.format() == OutputFormat.TABLE) {
                context.err().println("The ledger knows nothing of " + subject + ".");
                return ExitCode.DONE;
            }
            new Printer(context.out(), output.format())
                    .many(
                            "changes",
                            changes.stream()
                                    .map(change -> Resource.of(change.getId(), change))
                                    .toList(),
                            () -> table(changes));
        }
        return ExitCode.DONE;
    }

    private static List<Allocation> changes(Session session, ListHistoryRequest asked) {
        List<Allocation> changes = new ArrayList<>();
        String token = "";
        do {
            ListHistoryRequest request = asked.toBuilder()
                    .setPage(PageRequest.newBuilder().setSize(PAGE_SIZE).setToken(token))
                    .build();
            ListHistoryResponse reply = session.call(LedgerGrpc.getListHistoryMethod(), request);
            changes.addAll(reply.getChangesList());
            token = reply.getPage().getNextPageToken();
        } while (!token.isEmpty());
        return changes;
    }

    private static String table(List<Allocation> changes) {
        Table table = new Table(
                "REVISION",
                "TIME (UTC)",
                "ALLOCATION",
                "STATE",
                "NODE",
                "OWNER",
                "DEVICES",
                "PLAN REVISION",
                "SCHEDULER",
                "BY",
                "REASON");
        for (Allocation change : changes) {
            table.row(
                    change.getRevision(),
                    Ages.moment(change.getChangedMillis()),
                    change.getId(),
                    AllocationText.state(change),
                    change.getNode(),
                    AllocationText.owner(change),
                    AllocationText.devices(change),
                    change.getEpoch(),
                    change.getScheduler(),
                    change.getPrincipal(),
                    change.getReason());
        }
        return table.toString();
    }
}
