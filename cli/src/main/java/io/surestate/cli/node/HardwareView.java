package io.surestate.cli.node;

import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NodeUsage;
import io.surestate.api.v1.NumaNode;
import io.surestate.cli.CliContext;
import io.surestate.cli.output.OutputFormat;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.manifest.hardware.Hardware;
import java.util.List;

/** Shows what was read from a hardware file: the nodes on standard output, the notes on standard error. */
final class HardwareView {
    private static final int MILLI = 1_000;

    private HardwareView() {}

    static void show(CliContext context, OutputFormat format, Hardware read) {
        List<Resource> resources = read.nodes().stream()
                .map(node -> Resource.of(node.getName(), node))
                .toList();
        new Printer(context.out(), format)
                .many(
                        "nodes",
                        resources,
                        () -> TopologyTree.of(read.nodes().stream()
                                        .map(node -> new NodeLists.Entry(node, capacity(node)))
                                        .toList())
                                .show());
        read.notes().forEach(note -> context.err().println("ssctl: note: " + note));
    }

    /** Everything is free: nobody uses what is only described. */
    private static NodeUsage capacity(Node node) {
        NodeSpec spec = node.getSpec();
        long cores =
                spec.getNumaList().stream().mapToLong(NumaNode::getCoreIdsCount).sum();
        return NodeUsage.newBuilder()
                .setCpuMillicoresTotal(cores * MILLI)
                .setCpuMillicoresFree(cores * MILLI)
                .setMemoryBytesTotal(spec.getMemoryBytes())
                .setMemoryBytesFree(spec.getMemoryBytes())
                .setDevicesTotal(spec.getDevicesCount())
                .setDevicesFree(spec.getDevicesCount())
                .build();
    }
}
