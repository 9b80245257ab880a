package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Node;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * All nodes with what is held on them. Immutable.
 *
 * @param cordoned names of the nodes that are cordoned
 * @param probation names of the nodes that have devices on probation
 */
record NodeTable(
        TreePMap<String, NodeEntry> byName,
        TreePMap<String, String> nameById,
        TreePSet<String> cordoned,
        TreePSet<String> probation,
        AllocationIndex byOwner,
        int allocations) {
    static final NodeTable EMPTY = new NodeTable(
            TreePMap.empty(), TreePMap.empty(), TreePSet.empty(), TreePSet.empty(), AllocationIndex.EMPTY, 0);

    Optional<NodeEntry> node(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    Optional<NodeEntry> withId(String id) {
        return Optional.ofNullable(nameById.get(id)).flatMap(this::node);
    }

    NodeTable with(Node node) {
        Optional<NodeEntry> before = node(node.getName());
        NodeEntry entry = before.map(e -> e.with(node)).orElseGet(() -> NodeEntry.of(node));
        String oldId = before.map(e -> e.node().getId()).orElse(node.getId());
        boolean renamed = !oldId.equals(node.getId()) && node.getName().equals(nameById.get(oldId));
        return new NodeTable(
                byName.plus(node.getName(), entry),
                named(renamed ? nameById.minus(oldId) : nameById, node),
                with(cordoned, node.getName(), entry.cordoned()),
                with(probation, node.getName(), entry.probationEndsMillis() != Long.MAX_VALUE),
                byOwner,
                allocations);
    }

    private static TreePSet<String> with(TreePSet<String> names, String name, boolean isOne) {
        return isOne ? names.plus(name) : names.minus(name);
    }

    /** A planned node has no id. */
    private static TreePMap<String, String> named(TreePMap<String, String> names, Node node) {
        return node.getId().isEmpty() ? names : names.plus(node.getId(), node.getName());
    }

    /** Nothing is held on it. */
    NodeTable without(String name) {
        NodeEntry entry = node(name).orElseThrow();
        Invariants.check(entry.allocations().isEmpty(), "nothing is held on a node that goes: %s", name);
        String id = entry.node().getId();
        boolean known = name.equals(nameById.get(id));
        return new NodeTable(
                byName.minus(name),
                known ? nameById.minus(id) : nameById,
                cordoned.minus(name),
                probation.minus(name),
                byOwner,
                allocations);
    }

    NodeTable with(Allocation allocation) {
        NodeEntry entry = node(allocation.getNode()).orElseThrow();
        Optional<Allocation> before = entry.allocation(allocation.getId());
        return new NodeTable(
                byName.plus(allocation.getNode(), entry.with(allocation)),
                nameById,
                cordoned,
                probation,
                before.map(known -> byOwner.with(known, allocation)).orElseGet(() -> byOwner.with(allocation)),
                allocations + (before.isPresent() ? 0 : 1));
    }

    NodeTable withLoaded(Allocation allocation) {
        NodeEntry entry = node(allocation.getNode()).orElseThrow();
        return new NodeTable(
                byName.plus(allocation.getNode(), entry.withLoaded(allocation)),
                nameById,
                cordoned,
                probation,
                byOwner.with(allocation),
                allocations + 1);
    }

    NodeTable without(Allocation allocation) {
        NodeEntry entry = node(allocation.getNode()).orElseThrow();
        return new NodeTable(
                byName.plus(allocation.getNode(), entry.without(allocation.getId())),
                nameById,
                cordoned,
                probation,
                byOwner.without(entry.allocation(allocation.getId()).orElseThrow()),
                allocations - 1);
    }
}
