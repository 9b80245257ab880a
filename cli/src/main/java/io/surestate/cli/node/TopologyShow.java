package io.surestate.cli.node;

import io.surestate.api.v1.Telemetry;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl topology show}. */
@Command(
        description = "Show the hardware as a tree: places, nodes, NUMA nodes, devices, links.",
        footer = {
            "",
            "Examples:",
            "  ssctl topology show",
            "  ssctl topology show --live                and how each device is doing now"
        })
public final class TopologyShow implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Option(names = "--live", description = "Also how each device is doing, where its agent told.")
    private boolean live;

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
            Map<String, Telemetry> readings = new HashMap<>();
            if (live) {
                Readings.of(session, "").forEach(node -> readings.put(node.getNode(), node.getLast()));
            }
            new Printer(context.out(), output.format())
                    .many(
                            "nodes",
                            nodes.stream().map(NodeLists.Entry::resource).toList(),
                            () -> TopologyTree.of(nodes, readings).show());
        }
        return ExitCode.DONE;
    }
}
