package io.surestate.cli.node;

import io.surestate.api.v1.GetNodeRequest;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeUsage;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.ReadOptions;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.OutputFormat;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Table;
import io.surestate.cli.watch.Following;
import io.surestate.cli.watch.WatchOption;
import io.surestate.client.WatchBatch;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ssctl node list}. */
@Command(
        description = "List nodes and what is free on them.",
        footer = {
            "",
            "Examples:",
            "  ssctl node list",
            "  ssctl node list -w                        the list, then a line for each change"
        })
public final class NodeList implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public NodeList(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            NodeLists.Listed listed = NodeLists.listed(session);
            List<NodeLists.Entry> nodes = listed.nodes();
            Printer printer = new Printer(context.out(), output.format());
            if (watch.asked()) {
                follow(session, listed, printer);
            } else if (nodes.isEmpty() && output.format() == OutputFormat.TABLE) {
                context.err().println("No nodes: no agent has registered yet.");
            } else {
                printer.many(
                        "nodes",
                        nodes.stream().map(NodeLists.Entry::resource).toList(),
                        () -> table(nodes).toString());
            }
        }
        return ExitCode.DONE;
    }

    private void follow(Session session, NodeLists.Listed listed, Printer printer) {
        Table table = table(listed.nodes());
        if (output.format() == OutputFormat.TABLE) {
            context.out().print(table);
            context.out().flush();
        } else {
            listed.nodes().forEach(entry -> printer.next(entry.resource(), () -> ""));
        }
        WatchFilter nodes = WatchFilter.newBuilder().setNodes(true).build();
        WatchRequest request = WatchRequest.newBuilder()
                .setFromRevision(listed.revision())
                .setFilter(nodes)
                .build();
        Following following = new Following(context, session);
        following.each(
                request,
                batch -> batch.events().stream().filter(WatchEvent::hasNode).forEach(event -> {
                    NodeUsage usage = following.insist(() -> usage(session, batch, event.getNode()));
                    NodeLists.Entry entry = new NodeLists.Entry(event.getNode(), usage);
                    printer.next(entry.resource(), () -> table.line(cells(entry).toArray()));
                }));
    }

    /** Changes of a node do not tell what is left of it. */
    private static NodeUsage usage(Session session, WatchBatch batch, Node node) {
        GetNodeRequest request = GetNodeRequest.newBuilder()
                .setRead(ReadOptions.newBuilder().setMinRevision(batch.revision()))
                .setName(node.getName())
                .build();
        return session.call(NodesGrpc.getGetNodeMethod(), request).getUsage();
    }

    private static Table table(List<NodeLists.Entry> nodes) {
        Table table = new Table("NAME", "STATE", "CPU FREE", "MEMORY FREE", "DEVICES FREE", "ALLOCATIONS", "PLACE");
        nodes.forEach(entry -> table.row(cells(entry).toArray()));
        return table;
    }

    private static List<Object> cells(NodeLists.Entry entry) {
        NodeUsage usage = entry.usage();
        return List.of(
                entry.node().getName(),
                NodeText.condition(entry.node()),
                NodeText.cores(usage.getCpuMillicoresFree()) + " of " + NodeText.cores(usage.getCpuMillicoresTotal()),
                NodeText.bytes(usage.getMemoryBytesFree()) + " of " + NodeText.bytes(usage.getMemoryBytesTotal()),
                usage.getDevicesFree() + " of " + usage.getDevicesTotal(),
                usage.getAllocations(),
                NodeText.place(entry.node()));
    }
}
