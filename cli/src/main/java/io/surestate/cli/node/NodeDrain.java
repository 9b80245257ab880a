package io.surestate.cli.node;

import io.surestate.api.v1.CordonNodeRequest;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.Durations;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl node drain}. */
@Command(
        description = "Move work away from nodes and let nothing new be placed there.",
        footer = {
            "",
            "Jobs that have a checkpoint signal are asked for a checkpoint, then each gang is stopped and goes on elsewhere; that costs it no attempt. "
                    + "Who has no other place runs on until there is one, or until the deadline: then it is stopped and waits.",
            "",
            "Examples:",
            "  ssctl node drain node-17 --reason \"kernel upgrade\" --deadline 2h --wait",
            "  ssctl node drain node-17 node-18; ssctl node get node-17      what is still there, and why"
        })
public final class NodeDrain implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final NodeNames nodes = new NodeNames();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Shown with the nodes, and to jobs that move.")
    private String reason = "";

    @Option(
            names = "--deadline",
            paramLabel = "DURATION",
            description =
                    "How long what has no other place may stay, 1s to 30 days of cluster time. Default: as long as it runs.")
    private String deadline = "";

    @Option(names = "--wait", description = "Come back when nothing is left on the nodes, and show meanwhile what is.")
    private boolean wait;

    public NodeDrain(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        long deadlineMillis =
                deadline.isEmpty() ? 0 : Durations.of("--deadline", deadline).toMillis();
        try (Session session = connection.open()) {
            for (NodeNames.Asked asked : nodes.each()) {
                session.call(
                        NodesGrpc.getCordonNodeMethod(),
                        CordonNodeRequest.newBuilder()
                                .setHeader(session.header(asked.requestId()))
                                .setName(asked.node())
                                .setReason(reason)
                                .setDrain(true)
                                .setDeadlineAfterMillis(deadlineMillis)
                                .build());
            }
            DrainProgress progress = new DrainProgress(context, session, nodes.all());
            if (wait) {
                progress.await();
            } else {
                progress.show();
            }
        }
        return ExitCode.DONE;
    }
}
