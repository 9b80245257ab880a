package io.surestate.cli.job;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.MutationOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl job run}: a job of one group from the command line. */
@Command(
        description = "Run a command as a job; prints the job's name.",
        footer = {
            "",
            "Examples:",
            "  ssctl job run --follow -- echo hello",
            "  ssctl job run --name train --count 4 --cpu 2 --memory 8Gi --gpus 1 -- python3 train.py",
            "  ssctl job run --gpus 1 --gpu-share 250m -- python3 notebook.py",
            "  ssctl job run --count 64 --min-count 32 --spares 1 --gpus 8 -- ./train",
            "  ssctl job run --count 16 --gpus 4 --pack supernode --require-pack -- ./train"
        })
public final class JobRun implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final JobOptions options = new JobOptions();

    @Option(names = "--follow", description = "Show the output until the job has ended; exit 0 only if it succeeded.")
    private boolean follow;

    @Option(
            names = "--allow-future",
            description =
                    "Take the job also where no registered hardware could ever run it; it waits for such hardware.")
    private boolean allowFuture;

    @Option(names = "--wait", description = "Wait for the end; exit 0 only if the job succeeded.")
    private boolean wait;

    @Mixin
    private final MutationOption mutation = new MutationOption();

    @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "Program and arguments, after --.")
    private List<String> command = List.of();

    public JobRun(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        Job asked = options.job(command, () -> GeneratedName.of(command.get(0), context.random()));
        try (Session session = connection.open()) {
            SubmitJobRequest request = SubmitJobRequest.newBuilder()
                    .setHeader(session.header(mutation.requestId()))
                    .setJob(asked)
                    .setAllowFuture(allowFuture)
                    .build();
            Job job = session.call(JobsGrpc.getSubmitJobMethod(), request).getJob();
            if (!follow) {
                context.out().println(job.getName());
                context.out().flush();
            }
            if (follow) {
                new OutputFollower(context, session).follow(TaskChoice.all(job.getUid()));
            }
            return follow || wait ? new JobEnd(context, session).await(job.getUid()) : ExitCode.DONE;
        }
    }
}
