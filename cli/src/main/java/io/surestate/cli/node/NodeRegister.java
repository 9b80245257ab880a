package io.surestate.cli.node;

import io.surestate.cli.CliContext;
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

/** {@code ssctl node register}. */
@Command(
        description = "Register nodes that have no agent, for planning: nothing is placed on them.",
        footer = {
            "",
            "The file says what is in a node (compute_units, network, storage), or holds nodes as 'ssctl node list -o yaml' shows them.",
            "A planned node of the same name is replaced. When an agent of that name comes, what it found replaces the description.",
            "",
            "Examples:",
            "  ssctl node register -f node.yaml --name planned-1",
            "  ssctl node list -o yaml | ssctl node register -f - --server other:7400"
        })
public final class NodeRegister implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Option(names = "-f", paramLabel = "FILE", required = true, description = "YAML or JSON; - = standard input.")
    private String file = "";

    @Option(
            names = "--name",
            paramLabel = "NODE",
            description = "Of the one node that the file describes. Default: as the file says, or as it is called.")
    private String name = "";

    @Mixin
    private final MutationOption mutation = new MutationOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public NodeRegister(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        Hardware read = new HardwareFile(file, HardwareFormat.SURESTATE, "", name).read(context.in());
        try (Session session = connection.open()) {
            HardwareView.show(context, output.format(), PlannedNodes.register(session, read, mutation.requestId()));
        }
        return ExitCode.DONE;
    }
}
