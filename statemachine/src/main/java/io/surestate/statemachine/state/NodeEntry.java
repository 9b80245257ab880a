package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Quarantine;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * A node with everything that is held on it. Immutable. At each moment, per core, byte, device and link: capacity = free + held + bound +
 * releasing + nominated-free + quarantined, where nominated-free is what nominations claim beyond what is being released, and
 * quarantined is what nobody has of a quarantined device. Where hardware went away more may be held than there is; then nothing is free.
 */
public final class NodeEntry {
    private final Node node;
    private final TreePMap<String, Allocation> allocations;
    private final Amounts capacity;
    private final NodeTally tally;
    private final Shares quarantine;
    private final Amounts free;

    private NodeEntry(
            Node node, TreePMap<String, Allocation> allocations, Amounts capacity, NodeTally tally, Shares quarantine) {
        this.node = node;
        this.allocations = allocations;
        this.capacity = capacity;
        this.tally = tally;
        this.quarantine = quarantine;
        this.free = capacity.leftAfter(tally.taken()).withoutDevices(quarantine);
    }

    static NodeEntry of(Node node) {
        return new NodeEntry(
                node, TreePMap.empty(), Amounts.capacity(node.getSpec()), NodeTally.EMPTY, quarantine(node));
    }

    /** All of each device that the node's status has as quarantined. */
    static Shares quarantine(Node node) {
        if (node.getStatus().getQuarantinedCount() == 0) {
            return Shares.NONE;
        }
        int[] ordinals = node.getStatus().getQuarantinedList().stream()
                .mapToInt(Quarantine::getOrdinal)
                .toArray();
        int[] whole = new int[ordinals.length];
        Arrays.fill(whole, Amounts.WHOLE_MILLI);
        return Shares.adopt(ordinals, whole);
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

    /** What the node has. */
    public Amounts capacity() {
        return capacity;
    }

    /** What the node could give if nothing were held: all but quarantined devices. */
    public Amounts usable() {
        return capacity.withoutDevices(quarantine);
    }

    /** Sum of what is HELD, BOUND or RELEASING, cores and devices that vanished included. */
    public Amounts occupied() {
        return tally.occupied();
    }

    /** What may be given to anybody now. */
    public Amounts free() {
        return free;
    }

    /** What a nomination may claim: what is free, and what is being released and not claimed yet. */
    public Amounts nominable() {
        return tally.nominable(capacity).withoutDevices(quarantine);
    }

    /** Whether everything that is nominated here can be had one day; not where hardware went away under it. */
    public boolean nominationsFit() {
        return tally.nominationsFit(capacity);
    }

    /** What would be free if these allocations, of which the node has each as HELD or BOUND, were gone. */
    public Amounts freeWithout(Collection<Allocation> gone) {
        Amounts left = tally.taken();
        for (Allocation allocation : gone) {
            left = left.minus(Amounts.of(allocation.getClaim()));
        }
        return capacity.leftAfter(left).withoutDevices(quarantine);
    }

    /** What an allocation of this node could be bound to if no nomination were in its way. */
    public Amounts unoccupied() {
        return capacity.leftAfter(tally.occupied()).withoutDevices(quarantine);
    }

    /** What the node has for a live allocation when everything else that occupies it is taken away. */
    public Amounts roomFor(Allocation allocation) {
        return capacity.leftAfter(tally.occupied().minus(Amounts.of(allocation.getClaim())));
    }

    public boolean quarantined(int ordinal) {
        return quarantine.has(ordinal);
    }

    /** Cluster time at which the next probation of a device ends; {@link Long#MAX_VALUE} = there is none. */
    public long probationEndsMillis() {
        return node.getStatus().getQuarantinedList().stream()
                .filter(quarantine -> quarantine.getUntilMillis() != 0 && !quarantine.getServed())
                .mapToLong(Quarantine::getUntilMillis)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Whether something new may be placed here. */
    public boolean schedulable() {
        return ready() && !cordoned();
    }

    /** Whether its agent answers. */
    public boolean ready() {
        return node.getStatus().getState() == NodeState.NODE_STATE_READY;
    }

    /** Whether the operator lets nothing new be placed here. */
    public boolean cordoned() {
        return node.getStatus().hasCordon();
    }

    /** Whether what is here is to move away. */
    public boolean draining() {
        return node.getStatus().getCordon().getDrain();
    }

    /** Whether an agent ever said hello under this name; else the node is only planned. */
    public boolean registered() {
        return node.getStatus().getState() != NodeState.NODE_STATE_PLANNED;
    }

    public NodeUsage usage() {
        Amounts taken = tally.taken();
        return new NodeUsage(
                allocations.size(),
                taken.cores().totalMilli(),
                capacity.cores().totalMilli(),
                taken.memoryBytes(),
                capacity.memoryBytes(),
                taken.devices().totalMilli(),
                capacity.devices().totalMilli(),
                quarantine.size());
    }

    NodeTally tally() {
        return tally;
    }

    NodeEntry with(Node changed) {
        Amounts has = changed.getSpec().equals(node.getSpec()) ? capacity : Amounts.capacity(changed.getSpec());
        return new NodeEntry(changed, allocations, has, tally, quarantine(changed));
    }

    /** A new allocation must fit into what may be given to it; a known one moves as its states allow. */
    NodeEntry with(Allocation allocation) {
        Optional<Allocation> before = allocation(allocation.getId());
        before.ifPresentOrElse(known -> checkMove(known, allocation), () -> checkFits(allocation));
        NodeTally rest = before.map(tally::minus).orElse(tally);
        return with(allocation, rest.plus(allocation));
    }

    private void checkFits(Allocation allocation) {
        boolean nominated = allocation.getState() == AllocationState.ALLOCATION_STATE_NOMINATED;
        Invariants.check(
                (nominated ? nominable() : free).covers(Amounts.of(allocation.getClaim())),
                "nothing is given twice: %s on %s",
                allocation.getId(),
                node.getName());
    }

    private void checkMove(Allocation from, Allocation to) {
        Invariants.check(from.getClaim().equals(to.getClaim()), "claim of %s never changes", to.getId());
        Invariants.check(from.getEpoch() == to.getEpoch(), "epoch of %s never changes", to.getId());
        Invariants.check(
                from.getState() == to.getState() || AllocationStates.mayBecome(from.getState(), to.getState()),
                "allocation %s goes from %s to %s",
                to.getId(),
                from.getState(),
                to.getState());
        boolean backed = from.getState() != AllocationState.ALLOCATION_STATE_NOMINATED
                || to.getState() == AllocationState.ALLOCATION_STATE_NOMINATED
                || unoccupied().covers(Amounts.of(to.getClaim()));
        Invariants.check(backed, "nomination %s gets what is free: %s", to.getId(), node.getName());
    }

    /** As {@link #with(Allocation)}, for a stored allocation: the node may have shrunk since it was made. */
    NodeEntry withLoaded(Allocation allocation) {
        return with(allocation, tally.plus(allocation));
    }

    private NodeEntry with(Allocation allocation, NodeTally changed) {
        return new NodeEntry(node, allocations.plus(allocation.getId(), allocation), capacity, changed, quarantine);
    }

    NodeEntry without(String id) {
        Allocation gone = allocation(id).orElseThrow();
        return new NodeEntry(node, allocations.minus(id), capacity, tally.minus(gone), quarantine);
    }
}
