package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.manifest.NearestKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Slurm's {@code topology.conf} (SwitchName, BlockName) and the {@code NodeName} lines of {@code slurm.conf}, in one file or apart. Other
 * lines are passed over, unless they look like a misspelling of one of these. Names are written in lower case here; the name as it was
 * is the host name.
 */
final class SlurmConf implements HardwareReader {
    private static final String SWITCH = "switchname";
    private static final String BLOCK = "blockname";
    private static final String NODE = "nodename";
    /** Keys of Slurm that resemble the three. */
    private static final Set<String> OTHERS = Set.of("blocksizes", "nodeset", "downnodes", "nodeaddr", "nodehostname");

    @Override
    public Hardware read(HardwareSource source) {
        SlurmTree tree = new SlurmTree(source);
        Map<String, NodeSpec> specs = new LinkedHashMap<>();
        Set<String> notes = new LinkedHashSet<>();
        Map<String, String> defaults = new LinkedHashMap<>();
        for (SlurmLine line : SlurmLine.of(source)) {
            switch (line.kind()) {
                case SWITCH -> tree.addSwitch(line);
                case BLOCK -> tree.addBlock(line);
                case NODE -> node(source, line, defaults, specs, notes);
                default -> other(source, line, notes);
            }
        }
        tree.close();
        if (specs.isEmpty()) {
            notes.add("the file says where nodes are, not what is in them");
        }
        tree.nodes().forEach(node -> specs.putIfAbsent(node, NodeSpec.getDefaultInstance()));
        if (specs.isEmpty() || specs.size() > Limits.NODES_MAX) {
            throw source.problem(specs.size() + " nodes (expected: SwitchName=, BlockName= or NodeName= lines, 1 to "
                    + Limits.NODES_MAX + " nodes)");
        }
        return new Hardware(nodes(source, tree, specs), new ArrayList<>(notes));
    }

    private static void node(
            HardwareSource source,
            SlurmLine line,
            Map<String, String> defaults,
            Map<String, NodeSpec> specs,
            Set<String> notes) {
        if (line.value(NODE).equalsIgnoreCase("DEFAULT")) {
            defaults.putAll(line.values());
            return;
        }
        Hardware read = new SlurmNode(source, line, defaults).read();
        notes.addAll(read.notes());
        for (String name : HostList.expand(source, line.number(), "NodeName", line.value(NODE))) {
            if (specs.put(name, read.nodes().get(0).getSpec()) != null) {
                throw source.at(line.number(), "NodeName", name, "each name once");
            }
        }
    }

    private static void other(HardwareSource source, SlurmLine line, Set<String> notes) {
        if (!OTHERS.contains(line.kind())) {
            NearestKey.of(line.kind(), List.of(SWITCH, BLOCK, NODE)).ifPresent(nearest -> {
                boolean near = Math.abs(nearest.length() - line.kind().length()) <= 1;
                if (near && nearest.charAt(0) == line.kind().charAt(0)) {
                    throw source.at(line.number(), "key", line.kind(), "one of SwitchName, BlockName, NodeName");
                }
            });
        }
        notes.add("lines other than SwitchName, BlockName and NodeName are passed over");
    }

    private static List<Node> nodes(HardwareSource source, SlurmTree tree, Map<String, NodeSpec> specs) {
        List<Node> nodes = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        specs.forEach((host, spec) -> {
            String name = host.toLowerCase(Locale.ROOT);
            Names.subdomainProblem("name", name).ifPresent(problem -> {
                throw source.problem(problem);
            });
            if (!seen.add(name)) {
                throw source.problem(Names.message("name", host, "names that differ by more than letter case"));
            }
            nodes.add(Node.newBuilder()
                    .setName(name)
                    .setSpec(spec.toBuilder().setHostname(host).addAllDomains(tree.places(host)))
                    .build());
        });
        return nodes;
    }
}
