package io.surestate.cli.job;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobFilter;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ListJobsRequest;
import io.surestate.api.v1.ListJobsResponse;
import io.surestate.api.v1.PageRequest;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.OutputFormat;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import io.surestate.cli.watch.Following;
import io.surestate.cli.watch.WatchOption;
import io.surestate.manifest.dialect.EnumNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl job list}. */
@Command(
        description = "List live jobs, oldest first.",
        footer = {
            "",
            "Examples:",
            "  ssctl job list",
            "  ssctl job list --all -o json",
            "  ssctl job list --phase pending -o name",
            "  ssctl job list -w                         the list, then a line for each change"
        })
public final class JobList implements Callable<Integer> {
    private static final String DEFAULT_TENANT = "default";
    private static final int PAGE_SIZE = 1_000;

    private final CliContext context;
    private final Connection connection;

    @Option(names = "--all", description = "Finished jobs too, newest first after the live ones.")
    private boolean all;

    @Option(
            names = "--phase",
            split = ",",
            paramLabel = "PHASE",
            description = "Only jobs in these phases, such as pending,running.")
    private List<String> phases = List.of();

    @Option(names = "--prefix", paramLabel = "PREFIX", description = "Only jobs whose names begin with this.")
    private String prefix = "";

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobList(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        JobFilter.Builder filter = JobFilter.newBuilder().setNamePrefix(prefix);
        phases.forEach(phase -> filter.addPhases(phase(phase)));
        try (Session session = connection.open()) {
            filter.setTenant(session.tenant());
            Listed listed = list(session, filter.build());
            Printer printer = new Printer(context.out(), output.format());
            if (watch.asked()) {
                follow(session, listed, filter.build(), printer);
            } else if (listed.jobs().isEmpty() && output.format() == OutputFormat.TABLE) {
                context.err().println(all ? "No jobs." : "No live jobs; --all shows finished ones.");
            } else {
                printer.many(
                        "jobs",
                        listed.jobs().stream().map(JobList::resource).toList(),
                        () -> table(listed.jobs(), new Ages(session.clusterTimeMillis()))
                                .toString());
            }
        }
        return ExitCode.DONE;
    }

    private static Resource resource(Job job) {
        return Resource.of(job.getName(), job);
    }

    /** Jobs as of a revision. */
    private record Listed(List<Job> jobs, long revision) {}

    private Listed list(Session session, JobFilter filter) {
        List<Job> jobs = new ArrayList<>();
        String token = "";
        long revision;
        do {
            ListJobsRequest request = ListJobsRequest.newBuilder()
                    .setFilter(filter)
                    .setIncludeFinished(all)
                    .setPage(PageRequest.newBuilder().setSize(PAGE_SIZE).setToken(token))
                    .build();
            ListJobsResponse reply = session.call(JobsGrpc.getListJobsMethod(), request);
            jobs.addAll(reply.getJobsList());
            revision = reply.getRevision();
            token = reply.getPage().getNextPageToken();
        } while (!token.isEmpty());
        return new Listed(jobs, revision);
    }

    private void follow(Session session, Listed listed, JobFilter filter, Printer printer) {
        Table table = table(listed.jobs(), new Ages(session.clusterTimeMillis()));
        if (output.format() == OutputFormat.TABLE) {
            context.out().print(table);
            context.out().flush();
        } else {
            listed.jobs().forEach(job -> printer.next(resource(job), job::getName));
        }
        WatchFilter jobs = WatchFilter.newBuilder()
                .setJobs(true)
                .setTenant(filter.getTenant())
                .build();
        boolean tenants = tenants(listed.jobs());
        WatchRequest request = WatchRequest.newBuilder()
                .setFromRevision(listed.revision())
                .setFilter(jobs)
                .build();
        new Following(context, session).each(request, batch -> {
            Ages ages = new Ages(batch.timeMillis());
            batch.events().stream()
                    .filter(event -> event.hasJob() && fits(event.getJob(), filter))
                    .map(WatchEvent::getJob)
                    .forEach(job -> printer.next(
                            resource(job),
                            () -> table.line(cells(job, ages, tenants).toArray())));
        });
    }

    private static boolean fits(Job job, JobFilter filter) {
        return job.getName().startsWith(filter.getNamePrefix())
                && (filter.getPhasesCount() == 0
                        || filter.getPhasesList().contains(job.getStatus().getPhase()));
    }

    private static JobPhase phase(String text) {
        String name = "JOB_PHASE_" + text.toUpperCase(Locale.ROOT);
        return Arrays.stream(JobPhase.values())
                .filter(phase -> phase.name().equals(name) && phase != JobPhase.JOB_PHASE_UNSPECIFIED)
                .findFirst()
                .orElseThrow(
                        () -> CliException.usage(
                                "--phase: " + text
                                        + " (expected: pending, nominated, running, restarting, failing, cancelling, succeeded, failed, cancelled)"));
    }

    private static boolean tenants(List<Job> jobs) {
        return jobs.stream().anyMatch(job -> !job.getTenant().equals(DEFAULT_TENANT));
    }

    private static Table table(List<Job> jobs, Ages ages) {
        boolean tenants = tenants(jobs);
        Table table = tenants
                ? new Table("TENANT", "NAME", "PHASE", "TYPE", "TASKS", "ATTEMPT", "CHECKPOINT", "AGE")
                : new Table("NAME", "PHASE", "TYPE", "TASKS", "ATTEMPT", "CHECKPOINT", "AGE");
        jobs.forEach(job -> table.row(cells(job, ages, tenants).toArray()));
        return table;
    }

    private static List<Object> cells(Job job, Ages ages, boolean tenant) {
        JobStatus status = job.getStatus();
        int tasks = job.getSpec().getGroupsList().stream()
                .mapToInt(group -> group.getCount())
                .sum();
        List<Object> cells = new ArrayList<>(List.of(
                job.getName(),
                EnumNames.shortName(status.getPhase().getValueDescriptor()),
                EnumNames.shortName(job.getSpec().getType().getValueDescriptor()),
                tasks,
                status.getAttempt(),
                status.hasCheckpoint() ? status.getCheckpoint().getStep() : "",
                ages.since(job.getCreatedMillis())));
        if (tenant) {
            cells.add(0, job.getTenant());
        }
        return cells;
    }
}
