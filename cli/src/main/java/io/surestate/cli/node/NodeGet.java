package io.surestate.cli.node;

import io.surestate.api.v1.Cordon;
import io.surestate.api.v1.DrainWait;
import io.surestate.api.v1.GetNodeRequest;
import io.surestate.api.v1.GetNodeResponse;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.NodeUsage;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.Quarantine;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Table;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ssctl node get}. */
@Command(
        description = "Show a node: its hardware, its state and what is free.",
        footer = {"", "Example:", "  ssctl node get node-17 -o yaml"})
public final class NodeGet implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "NODE", description = "Name.")
    private String name = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    public NodeGet(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            GetNodeRequest request = GetNodeRequest.newBuilder().setName(name).build();
            GetNodeResponse reply = session.call(NodesGrpc.getGetNodeMethod(), request);
            NodeLists.Entry entry = new NodeLists.Entry(reply.getNode(), reply.getUsage());
            new Printer(context.out(), output.format())
                    .one(
                            entry.resource(),
                            () -> view(entry, reply.getDrainWaitsList(), new Ages(session.clusterTimeMillis())));
        }
        return ExitCode.DONE;
    }

    private static String view(NodeLists.Entry entry, List<DrainWait> waits, Ages ages) {
        Node node = entry.node();
        NodeUsage usage = entry.usage();
        Table table = new Table()
                .row("Name:", node.getName())
                .row("Id:", node.getId())
                .row("State:", NodeText.condition(node))
                .pair("Reason:", node.getStatus().getReason())
                .pair("Place:", NodeText.place(node))
                .pair("Host:", node.getSpec().getHostname())
                .pair("System:", node.getSpec().getOs())
                .pair("Processor:", node.getSpec().getCpuModel())
                .row(
                        "Cpu free:",
                        NodeText.cores(usage.getCpuMillicoresFree()) + " of "
                                + NodeText.cores(usage.getCpuMillicoresTotal()))
                .row(
                        "Memory free:",
                        NodeText.bytes(usage.getMemoryBytesFree()) + " of "
                                + NodeText.bytes(usage.getMemoryBytesTotal()))
                .row("Devices free:", usage.getDevicesFree() + " of " + usage.getDevicesTotal())
                .row("Allocations:", usage.getAllocations());
        List<String> devices = NodeText.devices(node.getSpec().getDevicesList());
        devices.forEach(device -> table.row("Device:", device));
        node.getStatus()
                .getOversubscribedList()
                .forEach(over -> table.row("Oversubscribed:", NodeText.oversubscribed(over)));
        node.getStatus()
                .getQuarantinedList()
                .forEach(device -> table.row(
                        "Quarantined:",
                        "device " + device.getOrdinal() + ", " + ages.since(device.getSinceMillis()) + " ago: "
                                + device.getReason()
                                + (device.getUntilMillis() == 0
                                        ? ""
                                        : "; well again, its probation is " + probation(device, ages))));
        node.getStatus()
                .getConditionsList()
                .forEach(condition -> table.row(
                        "Condition:",
                        condition.getName() + ", " + ages.since(condition.getSinceMillis()) + " ago: "
                                + condition.getReason()));
        cordon(table, node.getStatus(), ages);
        waits.forEach(wait -> table.row("Still here:", DrainProgress.words(wait)));
        table.pair("Fenced:", ages.since(node.getStatus().getFencedMillis()));
        table.row("Registered:", ages.since(node.getStatus().getRegisteredMillis()) + " ago");
        table.pair("Agent:", node.getStatus().getAgentVersion());
        return table.toString();
    }

    private static String probation(Quarantine device, Ages ages) {
        String end = ages.until(device.getUntilMillis());
        return end.equals("over") ? "over" : "over " + end;
    }

    private static void cordon(Table table, NodeStatus status, Ages ages) {
        if (status.hasCordon()) {
            Cordon cordon = status.getCordon();
            String deadline = ages.until(cordon.getDeadlineMillis());
            table.row(
                    cordon.getDrain() ? "Draining:" : "Cordoned:",
                    "since " + ages.since(cordon.getSinceMillis()) + ", by " + cordon.getPrincipal()
                            + (cordon.getReason().isEmpty() ? "" : ": " + cordon.getReason())
                            + (deadline.isEmpty() ? "" : "; deadline " + deadline));
        }
    }
}
