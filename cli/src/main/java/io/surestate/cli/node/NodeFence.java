package io.surestate.cli.node;

import io.surestate.api.v1.FenceNodeRequest;
import io.surestate.api.v1.FenceNodeResponse;
import io.surestate.api.v1.GetNodeRequest;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.Consent;
import io.surestate.cli.input.MutationOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl node fence}. */
@Command(
        description = "Declare that a node has no power: everything that it holds is free at once.",
        footer = {
            "",
            "Only what really is dead may be fenced: if a task still runs there, two will hold the same device or data. A node whose "
                    + "agent answers is not fenced.",
            "",
            "Examples:",
            "  ssctl node fence node-17 --powered-off --reason \"taken out of the rack\"",
            "  ssctl node fence node-17 --powered-off --confirm node-17      in a script that switched it off"
        })
public final class NodeFence implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "NODE", description = "Name.")
    private String name = "";

    @Option(
            names = "--powered-off",
            description =
                    "The machine has no power, or is cut off for good from everything that its tasks could touch. Required.")
    private boolean poweredOff;

    @Option(
            names = "--confirm",
            paramLabel = "NODE",
            description = "The name again; without it you are asked to type it.")
    private String confirm = "";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Kept with the node.")
    private String reason = "";

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public NodeFence(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        if (!poweredOff) {
            throw CliException.usage("--powered-off: missing (expected: given; switch the machine off first)");
        }
        if (!confirm.isEmpty() && !confirm.equals(name)) {
            throw CliException.usage("--confirm: " + confirm + " (expected: " + name + ")");
        }
        try (Session session = connection.open()) {
            // The node as it is now: a fence that arrives late must not meet the machine that came back meanwhile.
            long epoch = session.call(
                            NodesGrpc.getGetNodeMethod(),
                            GetNodeRequest.newBuilder().setName(name).build())
                    .getNode()
                    .getStatus()
                    .getEpoch();
            if (confirm.isEmpty()) {
                consent();
            }
            FenceNodeResponse reply = session.call(
                    NodesGrpc.getFenceNodeMethod(),
                    FenceNodeRequest.newBuilder()
                            .setHeader(session.header(mutation.requestId()))
                            .setName(name)
                            .setPoweredOff(true)
                            .setReason(reason)
                            .setExpectedEpoch(epoch)
                            .build());
            context.out().println(name + " fenced at revision " + reply.getRevision());
        }
        return ExitCode.DONE;
    }

    private void consent() {
        new Consent(context)
                .require(
                        "Everything that " + name
                                + " holds will be given to others. If anything still runs there, two tasks "
                                + "will use the same devices and data.",
                        name,
                        "--confirm NODE");
    }
}
