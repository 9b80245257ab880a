package io.surestate.cli.simulate;

import io.surestate.api.Names;
import io.surestate.cli.CliException;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** Options of replays of jobs that queue for processors or GPUs. */
final class QueueOptions {
    private static final String SEQUENCES = "10x1024";
    private static final List<String> BACKFILL_DEFAULT = List.of("easy");
    private static final String GPU_TYPE_DEFAULT = "v100";

    @Option(
            names = "--procs",
            paramLabel = "N",
            description =
                    "swf: processors of the machine; default: as the log's header says. philly, gavel: GPUs of the cluster.")
    private String procs = "";

    @Option(
            names = "--backfill",
            split = ",",
            paramLabel = "RULE",
            description =
                    "What may start before the first of the queue: none, strict (what ends before the first starts), easy (what does not "
                            + "delay the first), easy-sjbf (the shortest first), easy++ (by the user's last two run times). Several with commas. "
                            + "Default: easy.")
    private List<String> backfill = List.of();

    @Option(
            names = "--sequences",
            paramLabel = "NxLENGTH",
            description =
                    "swf: the ten published sequences of 1,024 jobs, each on an empty machine, in place of the whole log: 10x1024.")
    private String sequences = "";

    @Option(names = "--oracle-runtimes", description = "swf: each job asks for exactly the time that it takes.")
    private boolean oracle;

    @Option(
            names = "--shake",
            paramLabel = "SEED",
            description =
                    "Submit each job 0 to 59 seconds later, by chance. FROM-TO: once for each seed; the mean is shown.")
    private String shake = "";

    @Option(
            names = "--events",
            paramLabel = "ORDER",
            description =
                    "What happens first at one moment: together (ends, submissions, one pass), each (submissions, ends, a pass for each), "
                            + "expire-first (as each, but ends that were asked for make room first). Default: together; for sequences: each.")
    private String events = "";

    @Option(
            names = "--gpu-type",
            paramLabel = "TYPE",
            description = "gavel: the type of all GPUs; run times differ between types. Default: v100.")
    private String gpuType = "";

    @Option(
            names = "--throughputs",
            paramLabel = "FILE",
            description =
                    "gavel: steps per second that were measured. Default: simulation_throughputs.json beside the trace.")
    private String throughputs = "";

    OptionalInt procs() {
        if (procs.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            int number = Integer.parseInt(procs);
            if (number >= 1) {
                return OptionalInt.of(number);
            }
        } catch (NumberFormatException notANumber) {
            throw CliException.usage(Names.message("--procs", procs, "a number from 1 to " + Integer.MAX_VALUE));
        }
        throw CliException.usage(Names.message("--procs", procs, "a number from 1 to " + Integer.MAX_VALUE));
    }

    List<String> backfill() {
        return backfill.isEmpty() ? BACKFILL_DEFAULT : List.copyOf(backfill);
    }

    boolean sequences() {
        if (sequences.isEmpty() || sequences.equals(SEQUENCES)) {
            return !sequences.isEmpty();
        }
        throw CliException.usage(Names.message("--sequences", sequences, SEQUENCES));
    }

    boolean oracle() {
        return oracle;
    }

    /** No seeds if nothing is to be shaken. */
    List<Long> shakes() {
        return shake.isEmpty() ? List.of() : SeedRange.of("--shake", shake);
    }

    String events() {
        return events;
    }

    String gpuType() {
        return gpuType.isEmpty() ? GPU_TYPE_DEFAULT : gpuType;
    }

    String throughputs() {
        return throughputs;
    }

    /** Notes the options that were used. */
    void note(OptionUses uses) {
        uses.note("--procs", !procs.isEmpty(), Forms.QUEUES)
                .note("--backfill", !backfill.isEmpty(), Forms.QUEUES)
                .note("--sequences", !sequences.isEmpty(), List.of(Forms.SWF))
                .note("--oracle-runtimes", oracle, List.of(Forms.SWF))
                .note("--shake", !shake.isEmpty(), Forms.QUEUES)
                .note("--events", !events.isEmpty(), Forms.QUEUES)
                .note("--gpu-type", !gpuType.isEmpty(), List.of(Forms.GAVEL))
                .note("--throughputs", !throughputs.isEmpty(), List.of(Forms.GAVEL));
    }
}
