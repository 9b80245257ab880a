package io.surestate.cli.node;

import io.surestate.api.v1.NodeUsage;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.OutputFormat;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Table;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ssctl node list}. */
@Command(
        description = "List nodes and what is free on them.",
        footer = {"", "Example:", "  ssctl node list"})
public final class NodeList implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final OutputOption output = new OutputOption();

    public NodeList(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            List<NodeLists.Entry> nodes = NodeLists.all(session);
            if (nodes.isEmpty() && output.format() == OutputFormat.TABLE) {
                context.err().println("No nodes: no agent has registered yet.");
                return ExitCode.DONE;
            }
            new Printer(context.out(), output.format())
                    .many("nodes", nodes.stream().map(NodeLists.Entry::resource).toList(), () -> table(nodes));
        }
        return ExitCode.DONE;
    }

    private static String table(List<NodeLists.Entry> nodes) {
        Table table = new Table("NAME", "STATE", "CPU FREE", "MEMORY FREE", "DEVICES FREE", "ALLOCATIONS", "PLACE");
        for (NodeLists.Entry entry : nodes) {
            NodeUsage usage = entry.usage();
            table.row(
                    entry.node().getName(),
                    NodeText.state(entry.node()),
                    NodeText.cores(usage.getCpuMillicoresFree()) + " of "
                            + NodeText.cores(usage.getCpuMillicoresTotal()),
                    NodeText.bytes(usage.getMemoryBytesFree()) + " of " + NodeText.bytes(usage.getMemoryBytesTotal()),
                    usage.getDevicesFree() + " of " + usage.getDevicesTotal(),
                    usage.getAllocations(),
                    NodeText.place(entry.node()));
        }
        return table.toString();
    }
}
