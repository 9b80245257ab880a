package io.surestate.cli.job;

import io.surestate.cli.CliContext;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl job wait}. */
@Command(
        description = "Wait for a job's end; exit 0 only if it succeeded.",
        footer = {"", "Example:", "  ssctl job wait count-up --at-most 10m"})
public final class JobWait implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "JOB", description = "Name or uid.")
    private String job = "";

    @Option(names = "--at-most", paramLabel = "DURATION", description = "Give up after this long. Default: never.")
    private String atMost = "";

    public JobWait(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        Optional<Duration> limit = limit();
        try (Session session = connection.open()) {
            return new JobEnd(context, session).await(job, limit);
        }
    }

    private Optional<Duration> limit() {
        return atMost.isEmpty() ? Optional.empty() : Optional.of(Durations.of("--at-most", atMost));
    }
}
