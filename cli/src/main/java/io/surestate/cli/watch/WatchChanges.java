package io.surestate.cli.watch;

import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.client.WatchBatch;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl watch}. */
@Command(
        description =
                "Tell every change as it happens, until interrupted; none is skipped, over any change or outage of servers.",
        footer = {
            "",
            "Examples:",
            "  ssctl watch                               everything from now on",
            "  ssctl watch --nodes --holds --list        nodes and holds: what there is, then what changes",
            "  ssctl watch --job count-up -o json        one job, a document a line, for programs"
        })
public final class WatchChanges implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Option(names = "--jobs", description = "Jobs with their tasks and events. Without any of the four: everything.")
    private boolean jobs;

    @Option(names = "--nodes", description = "Nodes.")
    private boolean nodes;

    @Option(names = "--allocations", description = "Who holds what.")
    private boolean allocations;

    @Option(names = "--holds", description = "Holds of plans.")
    private boolean holds;

    @Option(names = "--job", paramLabel = "JOB", description = "Only this job; name or uid.")
    private String job = "";

    @Option(names = "--node", paramLabel = "NODE", description = "Only this node and what is on it.")
    private String node = "";

    @Option(
            names = "--from",
            paramLabel = "REVISION",
            description = "What changed after this revision, as far back as it is kept. Default: from now on.")
    private long from;

    @Option(names = "--list", description = "First everything there is.")
    private boolean list;

    @Mixin
    private final OutputOption output = new OutputOption();

    public WatchChanges(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        if (list && from != 0) {
            throw CliException.usage("--from: " + from + " (expected: not with --list)");
        }
        try (Session session = connection.open()) {
            EventText text = new EventText();
            Printer printer = new Printer(context.out(), output.format());
            new Following(context, session).each(request(session), told -> {
                for (WatchEvent event : told.events()) {
                    EventText.Words words = text.of(event);
                    printer.next(document(told, event, words), () -> line(told, words));
                }
            });
        }
        return ExitCode.DONE;
    }

    private WatchRequest request(Session session) {
        WatchFilter.Builder filter = WatchFilter.newBuilder()
                .setJobs(jobs)
                .setNodes(nodes)
                .setAllocations(allocations)
                .setHolds(holds)
                .setTenant(session.tenant())
                .setNode(node);
        if (!job.isEmpty()) {
            GetJobRequest named = GetJobRequest.newBuilder()
                    .setTenant(session.tenant())
                    .setJob(job)
                    .build();
            filter.setJobUid(
                    session.call(JobsGrpc.getGetJobMethod(), named).getJob().getUid());
        }
        return WatchRequest.newBuilder()
                .setFilter(filter)
                .setFromRevision(from)
                .setInitialList(list)
                .build();
    }

    private static String line(WatchBatch batch, EventText.Words words) {
        String time = batch.timeMillis() == 0 ? "" : Ages.clock(batch.timeMillis());
        return String.format(
                        "%-12s  %-8s  %-5s  %-32s  %s",
                        time, batch.revision(), words.kind(), words.name(), words.what())
                .stripTrailing();
    }

    private static Resource document(WatchBatch batch, WatchEvent event, EventText.Words words) {
        return new Resource(words.name(), (writer, out) -> {
            out.writeStringField("revision", Long.toString(batch.revision()));
            if (batch.timeMillis() != 0) {
                out.writeStringField(
                        "time", Instant.ofEpochMilli(batch.timeMillis()).toString());
            }
            out.writeBooleanField("initial", batch.kind() != WatchBatch.Kind.CHANGES);
            writer.fields(event, out);
        });
    }
}
