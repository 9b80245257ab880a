package io.surestate.cli.node;

import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ssctl topology show}. */
@Command(
        description = "Show the hardware as a tree: places, nodes, NUMA nodes, devices, links.",
        footer = {"", "Example:", "  ssctl topology show"})
public final class TopologyShow implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final OutputOption output = new OutputOption();

    public TopologyShow(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            List<NodeLists.Entry> nodes = NodeLists.all(session);
            new Printer(context.out(), output.format())
                    .many(
                            "nodes",
                            nodes.stream().map(NodeLists.Entry::resource).toList(),
                            () -> TopologyTree.of(nodes).show());
        }
        return ExitCode.DONE;
    }
}
