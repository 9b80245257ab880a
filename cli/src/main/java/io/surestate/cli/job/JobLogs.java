package io.surestate.cli.job;

import io.surestate.api.v1.OutputSource;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl job logs}. */
@Command(
        description = "Show what a job's tasks wrote; lines of several tasks begin with the task.",
        footer = {
            "",
            "Examples:",
            "  ssctl job logs count-up",
            "  ssctl job logs count-up/worker/0 -f",
            "  ssctl job logs count-up --group worker --index 0 --attempt 1 --stderr"
        })
public final class JobLogs implements Callable<Integer> {
    private static final int PARTS_OF_A_TASK = 3;

    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "JOB[/GROUP/INDEX]", description = "Name or uid, and one task of it.")
    private String job = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the job has ended, also over new attempts.")
    private boolean follow;

    @Option(names = "--group", paramLabel = "GROUP", description = "Only this group. Default: all.")
    private String group = "";

    @Option(names = "--index", paramLabel = "N", description = "Only this task of each group. Default: all.")
    private int index = -1;

    @Option(names = "--attempt", paramLabel = "N", description = "Default: the newest.")
    private int attempt;

    @Option(names = "--stderr", description = "Standard error instead of standard output.")
    private boolean stderr;

    public JobLogs(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        TaskChoice choice = choice();
        try (Session session = connection.open()) {
            OutputFollower outputs = new OutputFollower(context, session);
            if (follow) {
                outputs.follow(choice);
            } else {
                outputs.show(choice);
            }
        }
        return ExitCode.DONE;
    }

    private TaskChoice choice() {
        List<OutputSource> sources =
                List.of(stderr ? OutputSource.OUTPUT_SOURCE_STDERR : OutputSource.OUTPUT_SOURCE_STDOUT);
        String[] parts = job.split("/", -1);
        if (parts.length == 1) {
            return new TaskChoice(job, group, index, attempt, sources);
        }
        if (parts.length == PARTS_OF_A_TASK && parts[2].matches("[0-9]{1,9}")) {
            return new TaskChoice(parts[0], parts[1], Integer.parseInt(parts[2]), attempt, sources);
        }
        throw CliException.usage(job + " (expected: JOB or JOB/GROUP/INDEX)");
    }
}
