package io.surestate.cli.simulate;

import io.surestate.api.Names;
import io.surestate.cli.CliException;
import io.surestate.cli.node.HardwareFile;
import io.surestate.manifest.hardware.Hardware;
import io.surestate.manifest.hardware.HardwareFormat;
import io.surestate.sim.nodes.GangCluster;
import io.surestate.sim.nodes.GangForm;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options that say on what nodes something is placed, and how near. */
final class ClusterOptions {
    private static final String NODES = "nodes";

    @Option(
            names = "--cluster",
            paramLabel = "FORM:FILE",
            description =
                    "openb: the nodes, openb:NODES.csv. philly, gavel: nodes:FILE, nodes as 'ssctl node register -f' reads them, in place of "
                            + "--procs: gangs are placed on them.")
    private String cluster = "";

    @Option(
            names = "--pack",
            paramLabel = "LEVEL",
            description =
                    "philly, gavel on nodes: pack each gang into one domain of this level, such as supernode, where there is room.")
    private String pack = "";

    @Option(
            names = "--required",
            description =
                    "With --pack: a gang for which a domain of the level is large enough waits until one has room.")
    private boolean required;

    /** Whether nodes are named. */
    boolean given() {
        return !cluster.isEmpty();
    }

    /** The node list of an experiment with pods. */
    TraceFile openb() {
        if (cluster.isEmpty()) {
            throw CliException.usage("--cluster: missing (expected: openb:NODES.csv)");
        }
        return TraceFile.of("--cluster", cluster, List.of(Forms.OPENB));
    }

    /** Where gangs are placed; empty = nodes do not matter. */
    Optional<GangRoom> room(InputStream in) {
        if (cluster.isEmpty()) {
            if (!pack.isEmpty() || required) {
                throw CliException.usage("--pack, --required: given without nodes (expected: --cluster nodes:FILE)");
            }
            return Optional.empty();
        }
        TraceFile file = TraceFile.of("--cluster", cluster, List.of(NODES));
        Hardware read = new HardwareFile(file.file().toString(), HardwareFormat.SURESTATE, "", "").read(in);
        return Optional.of(room(cluster, GangCluster.of(read.nodes())));
    }

    /** Free accelerators of a copy of a running cluster. */
    GangRoom room(LiveStudy study) {
        return room("the cluster", GangCluster.of(study.cluster()));
    }

    private GangRoom room(String source, GangCluster nodes) {
        if (nodes.total() == 0) {
            throw CliException.refused(
                    "INVALID_ARGUMENT: " + source + ": no free accelerator (expected: at least one)");
        }
        if (!pack.isEmpty() && !nodes.levels().contains(pack)) {
            throw CliException.usage(Names.message(
                    "--pack",
                    pack,
                    nodes.levels().isEmpty()
                            ? "left out, the nodes name no domains"
                            : "a level that nodes name: " + String.join(", ", nodes.levels())));
        }
        if (required && pack.isEmpty()) {
            throw CliException.usage("--required: given alone (expected: with --pack)");
        }
        return new GangRoom(nodes, new GangForm(pack, required));
    }

    /** Notes the options that were used. */
    void note(OptionUses uses) {
        uses.note("--cluster", !cluster.isEmpty(), List.of(Forms.OPENB, Forms.PHILLY, Forms.GAVEL))
                .note("--pack", !pack.isEmpty(), Forms.GANGS)
                .note("--required", required, Forms.GANGS);
    }
}
