package io.surestate.cli.job;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobFilter;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ListJobsRequest;
import io.surestate.api.v1.ListJobsResponse;
import io.surestate.api.v1.PageRequest;
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
            "  ssctl job list --phase pending -o name"
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
            List<Job> jobs = jobs(session, filter.setTenant(session.tenant()).build());
            if (jobs.isEmpty() && output.format() == OutputFormat.TABLE) {
                context.err().println(all ? "No jobs." : "No live jobs; --all shows finished ones.");
                return ExitCode.DONE;
            }
            new Printer(context.out(), output.format())
                    .many(
                            "jobs",
                            jobs.stream()
                                    .map(job -> Resource.of(job.getName(), job))
                                    .toList(),
                            () -> table(jobs, new Ages(session.clusterTimeMillis())));
        }
        return ExitCode.DONE;
    }

    private List<Job> jobs(Session session, JobFilter filter) {
        List<Job> jobs = new ArrayList<>();
        String token = "";
        do {
            ListJobsRequest request = ListJobsRequest.newBuilder()
                    .setFilter(filter)
                    .setIncludeFinished(all)
                    .setPage(PageRequest.newBuilder().setSize(PAGE_SIZE).setToken(token))
                    .build();
            ListJobsResponse reply = session.call(JobsGrpc.getListJobsMethod(), request);
            jobs.addAll(reply.getJobsList());
            token = reply.getPage().getNextPageToken();
        } while (!token.isEmpty());
        return jobs;
    }

    private static JobPhase phase(String text) {
        String name = "JOB_PHASE_" + text.toUpperCase(Locale.ROOT);
        return Arrays.stream(JobPhase.values())
                .filter(phase -> phase.name().equals(name) && phase != JobPhase.JOB_PHASE_UNSPECIFIED)
                .findFirst()
                .orElseThrow(
                        () -> CliException.usage(
                                "--phase: " + text
                                        + " (expected: pending, running, restarting, failing, cancelling, succeeded, failed, cancelled)"));
    }

    private static String table(List<Job> jobs, Ages ages) {
        boolean tenants = jobs.stream().anyMatch(job -> !job.getTenant().equals(DEFAULT_TENANT));
        Table table = tenants
                ? new Table("TENANT", "NAME", "PHASE", "TYPE", "TASKS", "ATTEMPT", "CHECKPOINT", "AGE")
                : new Table("NAME", "PHASE", "TYPE", "TASKS", "ATTEMPT", "CHECKPOINT", "AGE");
        for (Job job : jobs) {
            List<Object> cells = new ArrayList<>(cells(job, ages));
            if (tenants) {
                cells.add(0, job.getTenant());
            }
            table.row(cells.toArray());
        }
        return table.toString();
    }

    private static List<Object> cells(Job job, Ages ages) {
        JobStatus status = job.getStatus();
        int tasks = job.getSpec().getGroupsList().stream()
                .mapToInt(group -> group.getCount())
                .sum();
        return List.of(
                job.getName(),
                EnumNames.shortName(status.getPhase().getValueDescriptor()),
                EnumNames.shortName(job.getSpec().getType().getValueDescriptor()),
                tasks,
                status.getAttempt(),
                status.hasCheckpoint() ? status.getCheckpoint().getStep() : "",
                ages.since(job.getCreatedMillis()));
    }
}
