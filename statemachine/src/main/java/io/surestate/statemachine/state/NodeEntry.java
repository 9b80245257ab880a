package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import java.util.Collection;
import java.util.Optional;
import org.pcollections.TreePMap;

/** A node with everything that is held on it. Immutable. */
public final class NodeEntry {
    private final Node node;
    private final TreePMap<String, Allocation> allocations;
    private final Amounts capacity;
    private final Amounts held;
    private final Amounts free;

    private NodeEntry(Node node, TreePMap<String, Allocation> allocations, Amounts capacity, Amounts held) {
        this.node = node;
        this.allocations = allocations;
        this.capacity = capacity;
        this.held = held;
        this.free = capacity.leftAfter(held);
    }

    static NodeEntry of(Node node) {
        return new NodeEntry(node, TreePMap.empty(), Amounts.capacity(node.getSpec()), Amounts.NOTHING);
    }

    public Node node() {
        return node;
    }

    /** By id, which is by age. */
    public Collection<Allocation> allocations() {
        return allocations.values();
    }

    public Optional<Allocation> allocation(String id) {
        return Optional.ofNullable(allocations.get(id));
    }

    /** What the node can give. */
    public Amounts capacity() {
        return capacity;
    }

    /** Sum of all claims on the node, cores and devices that vanished included. */
    public Amounts held() {
        return held;
    }

    /** Capacity less what is held, at least 0 everywhere. */
    public Amounts free() {
        return free;
    }

    /** Whether something new may be placed here. */
    public boolean schedulable() {
        return node.getStatus().getState() == NodeState.NODE_STATE_READY;
    }

    public NodeUsage usage() {
        return new NodeUsage(
                allocations.size(),
                held.cores().totalMilli(),
                capacity.cores().totalMilli(),
                held.memoryBytes(),
                capacity.memoryBytes(),
                held.devices().totalMilli(),
                capacity.devices().totalMilli());
    }

    NodeEntry with(Node changed) {
        return changed.getSpec().equals(node.getSpec())
                ? new NodeEntry(changed, allocations, capacity, held)
                : new NodeEntry(changed, allocations, Amounts.capacity(changed.getSpec()), held);
    }

    /** A new allocation must fit into what is free. */
    NodeEntry with(Allocation allocation) {
        Optional<Allocation> before = allocation(allocation.getId());
        if (before.isPresent()) {
            Invariants.check(
                    before.get().getClaim().equals(allocation.getClaim()),
                    "claim of %s never changes",
                    allocation.getId());
            return new NodeEntry(node, allocations.plus(allocation.getId(), allocation), capacity, held);
        }
        Invariants.check(
                free.covers(Amounts.of(allocation.getClaim())),
                "nothing is given twice: %s on %s",
                allocation.getId(),
                node.getName());
        return withLoaded(allocation);
    }

    /** As {@link #with(Allocation)}, for a stored allocation: the node may have shrunk since it was made. */
    NodeEntry withLoaded(Allocation allocation) {
        return new NodeEntry(
                node,
                allocations.plus(allocation.getId(), allocation),
                capacity,
                held.plus(Amounts.of(allocation.getClaim())));
    }

    NodeEntry without(String id) {
        Allocation gone = allocation(id).orElseThrow();
        return new NodeEntry(node, allocations.minus(id), capacity, held.minus(Amounts.of(gone.getClaim())));
    }
}
