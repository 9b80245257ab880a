package io.surestate.manifest.hardware;

import com.google.protobuf.Message;
import io.surestate.api.Limits;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeDescription;
import io.surestate.manifest.dialect.ManifestException;
import io.surestate.manifest.dialect.ManifestReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Nodes in the manifest dialect: as {@code ssctl node list -o yaml} writes them, one or many, or by their compute units. */
final class SurestateNodes implements HardwareReader {
    @Override
    public Hardware read(HardwareSource source) {
        List<NodeDescription> all = new ArrayList<>();
        try {
            for (Message message : new ManifestReader()
                    .readAll(
                            source.name(),
                            source.text(),
                            NodeDescription.getDefaultInstance(),
                            Limits.HARDWARE_FILE_BYTES_MAX)) {
                flatten(source, (NodeDescription) message, all);
            }
        } catch (ManifestException broken) {
            throw new HardwareException(String.valueOf(broken.getMessage()));
        }
        Set<String> notes = new LinkedHashSet<>();
        List<Node> nodes = new ArrayList<>();
        for (NodeDescription description : all) {
            nodes.add(node(source, description, notes));
        }
        return new Hardware(nodes, new ArrayList<>(notes));
    }

    private static void flatten(HardwareSource source, NodeDescription at, List<NodeDescription> all) {
        if (at.getNodesCount() == 0) {
            all.add(at);
        } else if (at.toBuilder().clearNodes().build().equals(NodeDescription.getDefaultInstance())) {
            at.getNodesList().forEach(inner -> flatten(source, inner, all));
        } else {
            throw source.problem("nodes: beside other keys (expected: alone)");
        }
        if (all.size() > Limits.NODES_MAX) {
            throw source.problem("more than " + Limits.NODES_MAX + " nodes (expected: fewer)");
        }
    }

    private static Node node(HardwareSource source, NodeDescription description, Set<String> notes) {
        boolean described = description.getComputeUnitsCount() > 0
                || description.hasNetwork()
                || description.hasStorage()
                || description.getMemoryBytes() > 0;
        if (described == description.hasSpec()) {
            throw source.problem((description.getName().isEmpty() ? "node" : description.getName())
                    + ": " + (described ? "spec and compute_units" : "nothing")
                    + " (expected: either spec, or compute_units with network and storage)");
        }
        if (!described) {
            return Node.newBuilder()
                    .setName(description.getName())
                    .setSpec(description.getSpec())
                    .build();
        }
        Hardware read = new DescribedNode(source, description).read();
        notes.addAll(read.notes());
        return read.nodes().get(0).toBuilder().setName(description.getName()).build();
    }
}
