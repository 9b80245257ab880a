package io.surestate.cli.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationFilter;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListAllocationsRequest;
import io.surestate.api.v1.ListAllocationsResponse;
import io.surestate.api.v1.PageRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
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
import io.surestate.manifest.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl alloc list}: the ledger, line by line. */
@Command(
        description = "List who holds what, by node.",
        footer = {
            "",
            "Examples:",
            "  ssctl alloc list --job count-up",
            "  ssctl alloc list --state releasing,held",
            "  ssctl alloc list --node node-17 -o json"
        })
public final class AllocList implements Callable<Integer> {
    private static final int PAGE_SIZE = 1_000;

    private final CliContext context;
    private final Connection connection;

    @Option(names = "--job", paramLabel = "JOB", description = "Only this job's; name or uid.")
    private String job = "";

    @Option(names = "--node", paramLabel = "NODE", description = "Only on this node.")
    private String node = "";

    @Option(
            names = "--state",
            split = ",",
            paramLabel = "STATE",
            description = "Only in these states: held, nominated, bound, releasing.")
    private List<String> states = List.of();

    @Mixin
    private final OutputOption output = new OutputOption();

    public AllocList(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            AllocationFilter.Builder filter =
                    AllocationFilter.newBuilder().setTenant(session.tenant()).setNode(node);
            states.forEach(state -> filter.addStates(state(state)));
            if (!job.isEmpty()) {
                filter.setJobUid(uid(session));
            }
            List<Allocation> held = allocations(session, filter.build());
            if (held.isEmpty() && !node.isEmpty()) {
                HistorySubject.requireNode(session, node);
            }
            if (held.isEmpty() && output.format() == OutputFormat.TABLE) {
                context.err().println("Nothing is held.");
                return ExitCode.DONE;
            }
            new Printer(context.out(), output.format())
                    .many(
                            "allocations",
                            held.stream()
                                    .map(allocation -> Resource.of(allocation.getId(), allocation))
                                    .toList(),
                            () -> table(held, expiries(session, held), new Ages(session.clusterTimeMillis())));
        }
        return ExitCode.DONE;
    }

    private String uid(Session session) {
        GetJobRequest request = GetJobRequest.newBuilder()
                .setTenant(session.tenant())
                .setJob(job)
                .build();
        return session.call(JobsGrpc.getGetJobMethod(), request).getJob().getUid();
    }

    private static List<Allocation> allocations(Session session, AllocationFilter filter) {
        List<Allocation> held = new ArrayList<>();
        String token = "";
        do {
            ListAllocationsRequest request = ListAllocationsRequest.newBuilder()
                    .setFilter(filter)
                    .setPage(PageRequest.newBuilder().setSize(PAGE_SIZE).setToken(token))
                    .build();
            ListAllocationsResponse reply = session.call(LedgerGrpc.getListAllocationsMethod(), request);
            held.addAll(reply.getAllocationsList());
            token = reply.getPage().getNextPageToken();
        } while (!token.isEmpty());
        return held;
    }

    private static AllocationState state(String text) {
        String name = "ALLOCATION_STATE_" + text.toUpperCase(Locale.ROOT);
        return Arrays.stream(AllocationState.values())
                .filter(state -> state.name().equals(name) && state != AllocationState.ALLOCATION_STATE_UNSPECIFIED)
                .findFirst()
                .orElseThrow(() ->
                        CliException.usage("--state: " + text + " (expected: held, nominated, bound, releasing)"));
    }

    /** When the holds end that something of this belongs to. */
    private static Map<String, Long> expiries(Session session, List<Allocation> held) {
        boolean holds = held.stream().anyMatch(AllocList::isHeld);
        return holds
                ? HoldLists.all(session).stream().collect(Collectors.toMap(Hold::getId, Hold::getExpiresMillis))
                : Map.of();
    }

    private static boolean isHeld(Allocation allocation) {
        return allocation.getState() == AllocationState.ALLOCATION_STATE_HELD;
    }

    private static String table(List<Allocation> held, Map<String, Long> expiries, Ages ages) {
        Table table = new Table("NODE", "ID", "OWNER", "STATE", "CPU", "MEMORY", "DEVICES", "AGE", "EXPIRES");
        for (Allocation allocation : held) {
            long milli = allocation.getClaim().getCoresList().stream()
                    .mapToLong(CoreShare::getMilli)
                    .sum();
            table.row(
                    allocation.getNode(),
                    allocation.getId(),
                    AllocationText.owner(allocation),
                    AllocationText.state(allocation),
                    Quantity.formatMilli(milli),
                    Quantity.formatBytes(allocation.getClaim().getMemoryBytes()),
                    allocation.getClaim().getDevicesCount(),
                    ages.since(allocation.getCreatedMillis()),
                    isHeld(allocation) ? ages.until(expiries.getOrDefault(allocation.getHold(), 0L)) : "");
        }
        return table.toString();
    }
}
