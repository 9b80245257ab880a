package io.surestate.cli.simulate;

import io.surestate.api.Limits;
import io.surestate.cli.CliException;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of questions to a copy of a running cluster. */
final class LiveOptions {
    @Option(
            names = "--live",
            description =
                    "Begin from a copy of the running cluster that --server names; nothing is changed there. Needs --job, --without or "
                            + "--workload.")
    private boolean live;

    @Option(
            names = "--job",
            paramLabel = "FILE",
            description = "With --live: where would this job run? - = standard input.")
    private String job = "";

    @Option(
            names = "--without",
            split = ",",
            paramLabel = "NODE",
            description =
                    "With --live: as if these nodes were gone. Which jobs lose tasks, and where would they run then?")
    private List<String> without = List.of();

    boolean live() {
        return live;
    }

    /** Empty = no job is asked about. */
    String job() {
        return job;
    }

    /** Each once. */
    List<String> without() {
        return without.stream().map(String::strip).distinct().toList();
    }

    /** Refuses what cannot be asked. */
    void check(boolean workload) {
        if (!live && !(job.isEmpty() && without.isEmpty())) {
            throw CliException.usage(
                    (job.isEmpty() ? "--without" : "--job") + ": given without --live (expected: both)");
        }
        if (live && job.isEmpty() && without.isEmpty() && !workload) {
            throw CliException.usage("--live: nothing is asked (expected: --job, --without or --workload)");
        }
        if (!job.isEmpty() && workload) {
            throw CliException.usage("--job: given with --workload (expected: one of them)");
        }
        if (without.size() > Limits.NODES_MAX) {
            throw CliException.usage(
                    "--without: " + without.size() + " nodes (expected: at most " + Limits.NODES_MAX + ")");
        }
    }
}
