package io.surestate.cli.job;

import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ListJobEventsRequest;
import io.surestate.api.v1.ListJobEventsResponse;
import io.surestate.api.v1.PageRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import io.surestate.manifest.dialect.EnumNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ssctl job events}: what the ledger knows of a job's life. */
@Command(
        description = "Show a job's history from the ledger, oldest first.",
        footer = {"", "Example:", "  ssctl job events count-up"})
public final class JobEvents implements Callable<Integer> {
    private static final int PAGE_SIZE = 1_000;

    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "JOB", description = "Name or uid.")
    private String job = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobEvents(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            List<JobEvent> events = events(session, job);
            new Printer(context.out(), output.format())
                    .many(
                            "events",
                            events.stream()
                                    .map(event -> Resource.of(Long.toString(event.getRevision()), event))
                                    .toList(),
                            () -> table(events));
        }
        return ExitCode.DONE;
    }

    /** The whole history of a job, by name or uid. */
    public static List<JobEvent> events(Session session, String job) {
        List<JobEvent> events = new ArrayList<>();
        String token = "";
        do {
            ListJobEventsRequest request = ListJobEventsRequest.newBuilder()
                    .setTenant(session.tenant())
                    .setJob(job)
                    .setPage(PageRequest.newBuilder().setSize(PAGE_SIZE).setToken(token))
                    .build();
            ListJobEventsResponse reply = session.call(JobsGrpc.getListJobEventsMethod(), request);
            events.addAll(reply.getEventsList());
            token = reply.getPage().getNextPageToken();
        } while (!token.isEmpty());
        return events;
    }

    /** Shared with other views of a history. */
    public static String table(List<JobEvent> events) {
        Table table = new Table("TIME (UTC)", "REVISION", "ATTEMPT", "EVENT", "TASK", "NODE", "MESSAGE");
        for (JobEvent event : events) {
            table.row(
                    Ages.clock(event.getTimeMillis()),
                    event.getRevision(),
                    event.getAttempt(),
                    EnumNames.shortName(event.getKind().getValueDescriptor()),
                    event.getTask(),
                    event.getNode(),
                    event.getMessage());
        }
        return table.toString();
    }
}
