package io.surestate.cli.cluster;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationFilter;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListAllocationsRequest;
import io.surestate.api.v1.ListAllocationsResponse;
import io.surestate.api.v1.PageRequest;
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
import io.surestate.manifest.Quantity;
import io.surestate.manifest.dialect.EnumNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl alloc list}: the ledger, line by line. */
@Command(
        description = "List who holds what, by node.",
        footer = {"", "Examples:", "  ssctl alloc list --job count-up", "  ssctl alloc list --node node-17 -o json"})
public final class AllocList implements Callable<Integer> {
    private static final int PAGE_SIZE = 1_000;

    private final CliContext context;
    private final Connection connection;

    @Option(names = "--job", paramLabel = "JOB", description = "Only this job's; name or uid.")
    private String job = "";

    @Option(names = "--node", paramLabel = "NODE", description = "Only on this node.")
    private String node = "";

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
            if (!job.isEmpty()) {
                filter.setJobUid(uid(session));
            }
            List<Allocation> held = allocations(session, filter.build());
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
                            () -> table(held, new Ages(session.clusterTimeMillis())));
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

    private static String table(List<Allocation> held, Ages ages) {
        Table table = new Table("NODE", "ID", "JOB UID", "TASK", "ATTEMPT", "STATE", "CPU", "MEMORY", "DEVICES", "AGE");
        for (Allocation allocation : held) {
            long milli = allocation.getClaim().getCoresList().stream()
                    .mapToLong(CoreShare::getMilli)
                    .sum();
            table.row(
                    allocation.getNode(),
                    allocation.getId(),
                    allocation.getTask().getJobUid(),
                    allocation.getTask().getGroup() + "/" + allocation.getTask().getIndex(),
                    allocation.getTask().getAttempt(),
                    EnumNames.shortName(allocation.getState().getValueDescriptor()),
                    Quantity.formatMilli(milli),
                    Quantity.formatBytes(allocation.getClaim().getMemoryBytes()),
                    allocation.getClaim().getDevicesCount(),
                    ages.since(allocation.getCreatedMillis()));
        }
        return table.toString();
    }
}
