package io.surestate.cli.job;

import io.surestate.api.v1.CancelJobRequest;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl job cancel}. */
@Command(
        description = "Stop a job; its tasks get some seconds to end.",
        footer = {"", "Example:", "  ssctl job cancel count-up --reason \"wrong data\""})
public final class JobCancel implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "JOB", description = "Name or uid.")
    private String job = "";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Kept in the job's history.")
    private String reason = "";

    @Option(
            names = "--generation",
            paramLabel = "N",
            description = "Only if the job is still of this generation. Default: any.")
    private long generation;

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public JobCancel(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            CancelJobRequest request = CancelJobRequest.newBuilder()
                    .setHeader(session.header(mutation.requestId()))
                    .setJob(job)
                    .setReason(reason)
                    .setExpectedGeneration(generation)
                    .build();
            Job answered = session.call(JobsGrpc.getCancelJobMethod(), request).getJob();
            context.out()
                    .println(answered.getName()
                            + (JobPhases.isFinished(answered) ? " cancelled" : " is being cancelled"));
        }
        return ExitCode.DONE;
    }
}
