package io.surestate.cli.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.UncordonNodeRequest;
import io.surestate.api.v1.UncordonNodeResponse;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.MutationOption;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Nodes of one command that asks the same of each, with a request of its own for each. */
final class NodeNames {
    @Parameters(arity = "1..*", paramLabel = "NODE", description = "Names.")
    private List<String> names = new ArrayList<>();

    @Mixin
    private final MutationOption mutation = new MutationOption();

    /** A node and the id of the request about it; empty = a new one. */
    record Asked(String node, String requestId) {}

    /** In the order given; where a request id was given the first has it, the others its numbered successors. */
    List<Asked> each() {
        String first = mutation.requestId();
        String last = first + "." + (names.size() - 1);
        if (!first.isEmpty() && names.size() > 1 && last.length() > Limits.REQUEST_ID_CHARS_MAX) {
            throw CliException.usage("--request-id: " + first + " (expected: " + (last.length() - first.length())
                    + " characters less, each node's number is added)");
        }
        List<Asked> asked = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            asked.add(new Asked(names.get(i), first.isEmpty() || i == 0 ? first : first + "." + i));
        }
        return asked;
    }

    /** Ends the cordon of each, or with it the drain. */
    void uncordon(CliContext context, Connection connection, boolean drain) {
        try (Session session = connection.open()) {
            for (Asked asked : each()) {
                UncordonNodeResponse reply = session.call(
                        NodesGrpc.getUncordonNodeMethod(),
                        UncordonNodeRequest.newBuilder()
                                .setHeader(session.header(asked.requestId()))
                                .setName(asked.node())
                                .setDrain(drain)
                                .build());
                context.out()
                        .println(asked.node() + " is no longer " + (drain ? "drained" : "cordoned") + ", at revision "
                                + reply.getRevision());
            }
        }
    }

    List<String> all() {
        return List.copyOf(names);
    }
}
