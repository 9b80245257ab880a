package io.surestate.cli.job;

import io.surestate.api.v1.CancelJobRequest;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.Consent;
import io.surestate.cli.input.MutationOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl job cancel}. */
@Command(
        description = "Stop a job; its tasks get some seconds to end.",
        footer = {
            "",
            "Examples:",
            "  ssctl job cancel count-up --reason \"wrong data\"",
            "  ssctl job cancel count-up --force --yes      when its node does not answer and the name is needed"
        })
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

    @Option(
            names = "--force",
            description =
                    "End the job now, whatever its tasks do. What they hold stays counted as RELEASING until their nodes "
                            + "prove it empty.")
    private boolean force;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public JobCancel(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        if (force && !yes) {
            new Consent(context)
                    .require(
                            "The job ends now and its name is free, while its tasks may still run where nobody sees them. What they "
                                    + "hold stays RELEASING, and is given to nobody, until their nodes prove it empty.",
                            "yes",
                            "--yes");
        }
        try (Session session = connection.open()) {
            CancelJobRequest request = CancelJobRequest.newBuilder()
                    .setHeader(session.header(mutation.requestId()))
                    .setJob(job)
                    .setReason(reason)
                    .setExpectedGeneration(generation)
                    .setForce(force)
                    .build();
            Job answered = session.call(JobsGrpc.getCancelJobMethod(), request).getJob();
            context.out()
                    .println(answered.getName()
                            + (JobPhases.isFinished(answered) ? " cancelled" : " is being cancelled"));
        }
        return ExitCode.DONE;
    }
}
