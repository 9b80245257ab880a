package io.surestate.cli.job;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.RequestHeader;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.SubmitJobResponse;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.ManifestFiles;
import io.surestate.cli.input.MutationOption;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.manifest.dialect.ManifestReader;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl job submit}. */
@Command(
        description = {
            "Submit a job file (YAML or JSON), or a batch script.",
            "A batch script begins with #! and says what it needs in lines that begin with #SURESTATE, with options of ssctl job run. Each task runs it."
        },
        footer = {
            "",
            "Examples:",
            "  ssctl job submit -f count-up.yaml --wait",
            "  ssctl job submit train.sh -- --epochs 3",
            "  ssctl job get count-up -o yaml | ssctl job submit -f -"
        })
public final class JobSubmit implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Job file or script; - = standard input.")
    private String file = "";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SCRIPT",
            description = "The same without -f: job file, or script that begins with #!.")
    private String script = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "ARGUMENT", description = "Of the script, after --.")
    private List<String> arguments = List.of();

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
        if (file.isEmpty() == script.isEmpty()) {
            throw CliException.usage(
                    "FILE: " + (file.isEmpty() ? "missing" : "two") + " (expected: one job file or script)");
        }
        Job asked = ManifestFiles.read(file.isEmpty() ? script : file, context.in(), "a job file", this::job);
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

    private Job job(String source, String text) {
        if (BatchScript.isOne(text)) {
            return BatchScript.read(source, text, arguments, context.random());
        }
        if (!arguments.isEmpty()) {
            throw CliException.usage(
                    "ARGUMENT: " + arguments.get(0) + " (expected: none, as " + source + " is no script)");
        }
        return new ManifestReader().readJob(source, text);
    }
}
