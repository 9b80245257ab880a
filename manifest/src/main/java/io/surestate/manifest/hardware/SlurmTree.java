package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import io.surestate.api.v1.Domain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Slurm's switches and blocks as places of nodes. Slurm's levels have no names: a switch whose deepest way down to nodes passes N
 * switches, itself included, is of level {@code switch-N}; a block is of level {@code block}, inside of the switches. One thread.
 */
final class SlurmTree {
    private static final int DEPTH_MAX = 16;

    /** One switch. */
    private record Switch(int line, List<String> switches, List<String> nodes) {}

    private final HardwareSource source;
    private final Map<String, Switch> switches = new LinkedHashMap<>();
    private final Map<String, String> switchOfSwitch = new HashMap<>();
    private final Map<String, String> switchOfNode = new LinkedHashMap<>();
    private final Map<String, String> blockOfNode = new LinkedHashMap<>();
    private final Map<String, Integer> heights = new HashMap<>();

    SlurmTree(HardwareSource source) {
        this.source = source;
    }

    void addSwitch(SlurmLine line) {
        String name = line.value("switchname");
        List<String> below = list(line, "Switches");
        List<String> nodes = list(line, "Nodes");
        if (name.isEmpty() || below.isEmpty() == nodes.isEmpty()) {
            throw source.at(line.number(), "SwitchName", name, "a name, and either Switches or Nodes");
        }
        once(line, "SwitchName", name, switches.put(name, new Switch(line.number(), below, nodes)));
        below.forEach(child -> once(line, "Switches", child, switchOfSwitch.put(child, name)));
        nodes.forEach(node -> once(line, "Nodes", node, switchOfNode.put(node, name)));
        bound(line);
    }

    void addBlock(SlurmLine line) {
        String name = line.value("blockname");
        List<String> nodes = list(line, "Nodes");
        if (name.isEmpty() || nodes.isEmpty()) {
            throw source.at(line.number(), "BlockName", name, "a name, and Nodes");
        }
        nodes.forEach(node -> once(line, "Nodes", node, blockOfNode.put(node, name)));
        bound(line);
    }

    private void bound(SlurmLine line) {
        if (switchOfNode.size() > Limits.NODES_MAX
                || blockOfNode.size() > Limits.NODES_MAX
                || switches.size() > Limits.NODES_MAX) {
            throw source.at(line.number(), "more than " + Limits.NODES_MAX + " nodes or switches (expected: fewer)");
        }
    }

    private List<String> list(SlurmLine line, String key) {
        String text = line.value(key.toLowerCase(Locale.ROOT));
        return text.isEmpty() ? List.of() : HostList.expand(source, line.number(), key, text);
    }

    private void once(SlurmLine line, String key, String name, @Nullable Object before) {
        if (before != null) {
            throw source.at(line.number(), key, name, "each name once");
        }
    }

    /** Checks what only the whole tree shows. */
    void close() {
        switchOfSwitch.forEach((child, parent) -> {
            if (!switches.containsKey(child)) {
                int line = switches.getOrDefault(parent, new Switch(0, List.of(), List.of()))
                        .line();
                throw source.at(line, "Switches", child, "a switch of the file");
            }
        });
        switches.forEach((name, at) -> heights.put(name, height(name, at, 1)));
    }

    private int height(String name, Switch at, int depth) {
        if (depth > DEPTH_MAX) {
            throw source.at(
                    at.line(), "SwitchName", name, "a tree of at most " + DEPTH_MAX + " levels, without a ring");
        }
        int below = 0;
        for (String child : at.switches()) {
            Switch next = switches.get(child);
            Integer known = heights.get(child);
            if (known != null) {
                below = Math.max(below, known);
            } else if (next != null) {
                below = Math.max(below, height(child, next, depth + 1));
            }
        }
        heights.put(name, below + 1);
        return below + 1;
    }

    /** Every node that has a place. */
    Set<String> nodes() {
        Set<String> all = new LinkedHashSet<>(switchOfNode.keySet());
        all.addAll(blockOfNode.keySet());
        return all;
    }

    /** The places of a node, outermost first. */
    List<Domain> places(String node) {
        List<Domain> places = new ArrayList<>();
        String at = switchOfNode.getOrDefault(node, "");
        while (!at.isEmpty()) {
            places.add(0, domain("switch-" + heights.getOrDefault(at, 1), at));
            at = switchOfSwitch.getOrDefault(at, "");
        }
        String block = blockOfNode.getOrDefault(node, "");
        if (!block.isEmpty()) {
            places.add(domain("block", block));
        }
        return places;
    }

    private static Domain domain(String level, String name) {
        return Domain.newBuilder().setLevel(level).setName(name).build();
    }
}
