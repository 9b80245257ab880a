package io.surestate.cli.job;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ResizeJobRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.MutationOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl job resize}. */
@Command(
        description = "Say how many tasks of an elastic group are wanted, between its minCount and its count.",
        footer = {
            "",
            "Tasks above the number are stopped and leave, the last ones first; tasks below it join when there is room.",
            "",
            "Examples:",
            "  ssctl job resize train --count 6",
            "  ssctl job resize train --group worker --count 6 --generation 3"
        })
public final class JobResize implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "JOB", description = "Name or uid.")
    private String job = "";

    @Option(names = "--count", required = true, paramLabel = "N", description = "Tasks that are wanted.")
    private int count;

    @Option(names = "--group", paramLabel = "GROUP", description = "Default: the only group that has a minCount.")
    private String group = "";

    @Option(
            names = "--generation",
            paramLabel = "N",
            description = "Only if the job is still of this generation. Default: any.")
    private long generation;

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public JobResize(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            ResizeJobRequest request = ResizeJobRequest.newBuilder()
                    .setHeader(session.header(mutation.requestId()))
                    .setJob(job)
                    .setGroup(group)
                    .setCount(count)
                    .setExpectedGeneration(generation)
                    .build();
            Job answered = session.call(JobsGrpc.getResizeJobMethod(), request).getJob();
            context.out()
                    .println(answered.getName() + " wants " + count + " tasks (generation " + answered.getGeneration()
                            + ")");
        }
        return ExitCode.DONE;
    }
}
