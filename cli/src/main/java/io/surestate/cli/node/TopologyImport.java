package io.surestate.cli.node;

import io.surestate.api.Names;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.MutationOption;
import io.surestate.cli.output.OutputOption;
import io.surestate.manifest.hardware.Hardware;
import io.surestate.manifest.hardware.HardwareFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl topology import}. */
@Command(
        description =
                "Read hardware from a file: nodes, devices, links with bandwidth in one direction, NUMA places, domains.",
        footer = {
            "",
            "Formats:",
            "  nvidia-smi-xml    nvidia-smi -q -x",
            "  nvidia-smi-topo   nvidia-smi topo -m",
            "  rocm-smi-topo     rocm-smi --showtopo",
            "  rocm-smi-json     rocm-smi --json with product name, unique id, bus and memory",
            "  npu-smi-info      npu-smi info",
            "  npu-smi-topo      npu-smi info -t topo",
            "  nccl-xml          the topology that NCCL_TOPO_DUMP_FILE and RCCL write",
            "  hwloc-xml         lstopo --of xml",
            "  slurm             topology.conf, and the NodeName lines of slurm.conf",
            "  surestate         nodes as 'ssctl node list -o yaml' shows them, or by compute_units",
            "",
            "What is derived or missing is said in notes on standard error. Without --dry-run the nodes are registered as planned ones: nothing "
                    + "is placed on them; an agent of the same name takes the name over.",
            "",
            "Examples:",
            "  ssctl topology import --format nvidia-smi-xml gpus.xml --dry-run",
            "  nvidia-smi topo -m | ssctl topology import --format nvidia-smi-topo - --model 'NVIDIA H200' --dry-run -o json",
            "  ssctl topology import --format slurm topology.conf"
        })
public final class TopologyImport implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "FILE", description = "What to read; - = standard input.")
    private String file = "";

    @Option(names = "--format", paramLabel = "FORMAT", required = true, description = "What is in the file; see below.")
    private String format = "";

    @Option(
            names = "--name",
            paramLabel = "NODE",
            description = "Of the one node that the file describes. Default: as the file says, or as it is called.")
    private String name = "";

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description = "Of devices whose file does not say it; the bandwidth of links follows from it.")
    private String model = "";

    @Option(names = "--dry-run", description = "Only read and show; needs no server.")
    private boolean dryRun;

    @Mixin
    private final MutationOption mutation = new MutationOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public TopologyImport(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        HardwareFormat known = HardwareFormat.of(format)
                .orElseThrow(() -> CliException.usage(
                        Names.message("--format", format, "one of " + String.join(", ", HardwareFormat.words()))));
        Hardware read = new HardwareFile(file, known, model, name).read(context.in());
        if (dryRun) {
            HardwareView.show(context, output.format(), read);
            return ExitCode.DONE;
        }
        try (Session session = connection.open()) {
            HardwareView.show(context, output.format(), PlannedNodes.register(session, read, mutation.requestId()));
        }
        return ExitCode.DONE;
    }
}
