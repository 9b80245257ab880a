package io.surestate.cli.simulate;

import io.surestate.api.Names;
import io.surestate.cli.CliException;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of experiments with pods that are placed on nodes. */
final class PlacementOptions {
    private static final double INFLATE_DEFAULT = 1.3;
    private static final double INFLATE_MAX = 10;
    private static final String SEEDS_DEFAULT = "42-51";

    @Option(
            names = "--inflate",
            paramLabel = "FACTOR",
            description = "openb: the demand that arrives in all, as a multiple of the cluster's GPUs. Default: 1.3.")
    private String inflate = "";

    @Option(
            names = "--seeds",
            paramLabel = "FROM-TO",
            description = "openb: one run of each policy for each seed. Default: 42-51.")
    private String seeds = "";

    @Option(
            names = "--ledger",
            description =
                    "openb: commit each place to a ledger that the servers' state machine core keeps, and compare both at the end: "
                            + "the same figures, slower.")
    private boolean ledger;

    double inflate() {
        if (inflate.isEmpty()) {
            return INFLATE_DEFAULT;
        }
        try {
            double factor = Double.parseDouble(inflate);
            if (factor > 0 && factor <= INFLATE_MAX) {
                return factor;
            }
        } catch (NumberFormatException notANumber) {
            throw CliException.usage(Names.message("--inflate", inflate, "a number above 0, at most 10"));
        }
        throw CliException.usage(Names.message("--inflate", inflate, "a number above 0, at most 10"));
    }

    List<Long> seeds() {
        return SeedRange.of("--seeds", seeds.isEmpty() ? SEEDS_DEFAULT : seeds);
    }

    boolean ledger() {
        return ledger;
    }

    /** Notes the options that were used. */
    void note(OptionUses uses) {
        List<String> openb = List.of(Forms.OPENB);
        uses.note("--inflate", !inflate.isEmpty(), openb)
                .note("--seeds", !seeds.isEmpty(), openb)
                .note("--ledger", ledger, openb);
    }
}
