package io.surestate.cli.node;

import io.surestate.api.v1.ListNodesRequest;
import io.surestate.api.v1.ListNodesResponse;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeUsage;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.PageRequest;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Resource;
import java.util.ArrayList;
import java.util.List;

/** All nodes with what is left of them, over as many pages as it takes. */
public final class NodeLists {
    private static final int PAGE_SIZE = 1_000;

    private NodeLists() {}

    /** A node and what is left of it. */
    public record Entry(Node node, NodeUsage usage) {
        Resource resource() {
            return new Resource(node.getName(), (writer, out) -> {
                writer.fields(node, out);
                out.writeFieldName("usage");
                writer.write(usage, out);
            });
        }
    }

    /** Nodes as of a revision, ordered by name. */
    record Listed(List<Entry> nodes, long revision) {}

    /** Ordered by name. */
    public static List<Entry> all(Session session) {
        return listed(session).nodes();
    }

    static Listed listed(Session session) {
        List<Entry> nodes = new ArrayList<>();
        String token = "";
        long revision;
        do {
            ListNodesRequest request = ListNodesRequest.newBuilder()
                    .setPage(PageRequest.newBuilder().setSize(PAGE_SIZE).setToken(token))
                    .build();
            ListNodesResponse reply = session.call(NodesGrpc.getListNodesMethod(), request);
            for (int i = 0; i < reply.getNodesCount(); i++) {
                nodes.add(new Entry(reply.getNodes(i), reply.getUsages(i)));
            }
            revision = reply.getRevision();
            token = reply.getPage().getNextPageToken();
        } while (!token.isEmpty());
        return new Listed(nodes, revision);
    }
}
