package io.surestate.cli.node;

import io.surestate.api.v1.NodeTelemetry;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl node top}. */
@Command(
        description = "Show how nodes are doing, or the devices of one: mean and greatest value of the last minute.",
        footer = {
            "",
            "Examples:",
            "  ssctl node top",
            "  ssctl node top node-17 -w                 its devices, again every 5 s"
        })
public final class NodeTop implements Callable<Integer> {
    private static final Duration REST = Duration.ofSeconds(5);

    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "NODE", arity = "0..1", description = "Name; none = all nodes.")
    private String name = "";

    @Option(
            names = {"-w", "--watch"},
            description = "Show it again every 5 s, until interrupted.")
    private boolean watch;

    @Mixin
    private final OutputOption output = new OutputOption();

    public NodeTop(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            show(session);
            while (watch && !Thread.currentThread().isInterrupted()) {
                context.pause().sleep(REST);
                context.out().println();
                show(session);
            }
        }
        return ExitCode.DONE;
    }

    private void show(Session session) {
        List<NodeTelemetry> nodes = Readings.of(session, name);
        if (nodes.isEmpty() && !name.isEmpty()) {
            throw CliException.refused("NOT_FOUND: node: " + name
                    + " (expected: a node whose agent has told the present leader how it is doing)");
        }
        new Printer(context.out(), output.format())
                .many(
                        "nodes",
                        nodes.stream()
                                .map(node -> Resource.of(node.getNode(), node))
                                .toList(),
                        () -> name.isEmpty()
                                ? Readings.nodes(nodes).toString()
                                : Readings.nodes(nodes) + "\n" + Readings.devices(nodes.get(0)));
        context.out().flush();
    }
}
