package io.surestate.cli.job;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.RequestHeader;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.SubmitJobResponse;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.ManifestFiles;
import io.surestate.cli.input.MutationOption;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.manifest.dialect.ManifestReader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl job submit}. */
@Command(
        description = "Submit a job file (YAML or JSON).",
        footer = {
            "",
            "Examples:",
            "  ssctl job submit -f count-up.yaml --wait",
            "  ssctl job get count-up -o yaml | ssctl job submit -f -"
        })
public final class JobSubmit implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "Job file; - = standard input.")
    private String file = "";

    @Option(names = "--validate-only", description = "Check everything, change nothing.")
    private boolean validateOnly;

    @Option(
            names = "--allow-future",
            description =
                    "Take the job also where no registered hardware could ever run it; it waits for such hardware.")
    private boolean allowFuture;

    @Option(names = "--wait", description = "Wait for the end; exit 0 only if the job succeeded.")
    private boolean wait;

    @Mixin
    private final MutationOption mutation = new MutationOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobSubmit(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        Job asked = ManifestFiles.read(
                file, context.in(), "a job file", (source, text) -> new ManifestReader().readJob(source, text));
        try (Session session = connection.open()) {
            RequestHeader header = session.header(mutation.requestId()).toBuilder()
                    .setValidateOnly(validateOnly)
                    .build();
            SubmitJobResponse reply = session.call(
                    JobsGrpc.getSubmitJobMethod(),
                    SubmitJobRequest.newBuilder()
                            .setHeader(header)
                            .setJob(asked)
                            .setAllowFuture(allowFuture)
                            .build());
            Job job = reply.getJob();
            new Printer(context.out(), output.format())
                    .one(
                            Resource.of(job.getName(), job),
                            () -> validateOnly
                                    ? job.getName() + " is valid; nothing was changed\n"
                                    : job.getName() + " submitted\n");
            if (!wait || validateOnly) {
                return ExitCode.DONE;
            }
            context.out().flush();
            return new JobEnd(context, session).await(job.getUid());
        }
    }
}
