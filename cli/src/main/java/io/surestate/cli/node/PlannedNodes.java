package io.surestate.cli.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.PlanNodeRequest;
import io.surestate.api.v1.RequestHeader;
import io.surestate.cli.CliException;
import io.surestate.cli.connect.Session;
import io.surestate.manifest.hardware.Hardware;
import java.util.ArrayList;
import java.util.List;

/** Registers what was read from a file as planned nodes: all of it is checked first, then one node after the other is registered. */
final class PlannedNodes {
    private PlannedNodes() {}

    /**
     * As the cluster keeps them now.
     *
     * @param requestId of the first node's request, and the beginning of the others'; empty = new ones
     */
    static Hardware register(Session session, Hardware read, String requestId) {
        String last = requestId + "." + (read.nodes().size() - 1);
        if (!requestId.isEmpty() && read.nodes().size() > 1 && last.length() > Limits.REQUEST_ID_CHARS_MAX) {
            throw CliException.usage("--request-id: " + requestId + " (expected: "
                    + (last.length() - requestId.length()) + " characters less, each node's number is added)");
        }
        for (Node node : read.nodes()) {
            session.call(NodesGrpc.getPlanNodeMethod(), request(node, check(session)));
        }
        List<Node> kept = new ArrayList<>();
        for (int i = 0; i < read.nodes().size(); i++) {
            String id = requestId.isEmpty() || i == 0 ? requestId : requestId + "." + i;
            kept.add(session.call(
                            NodesGrpc.getPlanNodeMethod(), request(read.nodes().get(i), session.header(id)))
                    .getNode());
        }
        return new Hardware(kept, read.notes());
    }

    private static RequestHeader check(Session session) {
        return session.header("").toBuilder().setValidateOnly(true).build();
    }

    private static PlanNodeRequest request(Node node, RequestHeader header) {
        return PlanNodeRequest.newBuilder()
                .setHeader(header)
                .setName(node.getName())
                .setSpec(node.getSpec())
                .build();
    }
}
