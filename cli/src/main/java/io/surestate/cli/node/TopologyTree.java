package io.surestate.cli.node;

import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.Telemetry;
import io.surestate.manifest.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The hardware as a tree of lines. One thread. */
public final class TopologyTree {
    private final String label;
    private final Map<String, TopologyTree> branches = new LinkedHashMap<>();

    private TopologyTree(String label) {
        this.label = label;
    }

    /** Nodes without a place stand at the top. */
    public static TopologyTree of(List<NodeLists.Entry> nodes) {
        return of(nodes, Map.of());
    }

    /** @param readings of nodes by name; a node without one is shown as it is described */
    static TopologyTree of(List<NodeLists.Entry> nodes, Map<String, Telemetry> readings) {
        TopologyTree top = new TopologyTree("");
        for (NodeLists.Entry entry : nodes) {
            TopologyTree at = top;
            for (Domain domain : entry.node().getSpec().getDomainsList()) {
                at = at.branch(domain.getLevel() + " " + domain.getName());
            }
            Telemetry reading = readings.getOrDefault(entry.node().getName(), Telemetry.getDefaultInstance());
            describe(at.branch(headline(entry)), entry.node(), reading);
        }
        return top;
    }

    private TopologyTree branch(String name) {
        return branches.computeIfAbsent(name, TopologyTree::new);
    }

    private static String headline(NodeLists.Entry entry) {
        String state = entry.node().hasStatus() ? NodeText.state(entry.node()) + "  " : "";
        return "node " + entry.node().getName() + "  " + state
                + counted(NodeText.cores(entry.usage().getCpuMillicoresTotal()), "core")
                + (entry.usage().getMemoryBytesTotal() == 0
                        ? ""
                        : "  " + NodeText.bytes(entry.usage().getMemoryBytesTotal()))
                + (entry.usage().getDevicesTotal() == 0
                        ? ""
                        : "  " + counted(Integer.toString(entry.usage().getDevicesTotal()), "device"));
    }

    private static String counted(String amount, String what) {
        return amount + " " + what + (amount.equals("1") ? "" : "s");
    }

    private static void describe(TopologyTree at, Node node, Telemetry reading) {
        for (NumaNode numa : node.getSpec().getNumaList()) {
            at.branch("numa " + numa.getId() + (numa.getSocket() < 0 ? "" : "  socket " + numa.getSocket())
                    + (numa.getCoreIdsCount() == 0 ? "" : "  cores " + NodeText.ranges(numa.getCoreIdsList()))
                    + (numa.getMemoryBytes() == 0 ? "" : "  " + NodeText.bytes(numa.getMemoryBytes())));
        }
        NodeText.devices(node.getSpec().getDevicesList()).forEach(at::branch);
        reading.getDevicesList()
                .forEach(device -> at.branch("device " + device.getOrdinal() + "  " + Readings.words(device)));
        for (Nic nic : node.getSpec().getNicsList()) {
            at.branch("nic " + nic.getName()
                    + (nic.getBitsPerSecond() == 0 ? "" : "  " + Quantity.formatBitsPerSecond(nic.getBitsPerSecond()))
                    + (nic.getRdma() ? "  rdma" : "")
                    + (nic.getNumaNode() > 0 ? "  numa " + nic.getNumaNode() : ""));
        }
        for (Link link : node.getSpec().getLinksList()) {
            at.branch("link " + link.getFromOrdinal() + "-" + link.getToOrdinal() + "  " + link.getType()
                    + (link.getBitsPerSecond() == 0
                            ? ""
                            : "  " + Quantity.formatBitsPerSecond(link.getBitsPerSecond())));
        }
    }

    /** All lines. */
    public String show() {
        StringBuilder out = new StringBuilder();
        for (TopologyTree branch : branches.values()) {
            out.append(branch.label).append('\n');
            branch.show("", out);
        }
        return out.toString();
    }

    private void show(String indent, StringBuilder out) {
        List<TopologyTree> children = new ArrayList<>(branches.values());
        for (int i = 0; i < children.size(); i++) {
            boolean last = i == children.size() - 1;
            out.append(indent)
                    .append(last ? "└─ " : "├─ ")
                    .append(children.get(i).label)
                    .append('\n');
            children.get(i).show(indent + (last ? "   " : "│  "), out);
        }
    }
}
