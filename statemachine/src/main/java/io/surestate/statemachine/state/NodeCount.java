package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceShare;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts a node's allocations again, from nothing but the allocations themselves, and compares with what its entry says: an independent
 * second opinion, so it uses none of the sums that the entry keeps. Used once, by one thread.
 */
final class NodeCount {
    private final NodeEntry node;
    private final List<String> problems = new ArrayList<>();

    NodeCount(NodeEntry node) {
        this.node = node;
    }

    /** What does not add up; empty = everything does. */
    List<String> problems() {
        Column cores = new Column(node.capacity().cores());
        Column devices = new Column(node.capacity().devices());
        long occupiedBytes = 0;
        long releasingBytes = 0;
        long nominatedBytes = 0;
        for (Allocation allocation : node.allocations()) {
            for (CoreShare core : allocation.getClaim().getCoresList()) {
                cores.add(core.getCoreId(), core.getMilli(), allocation);
            }
            for (DeviceShare device : allocation.getClaim().getDevicesList()) {
                devices.add(device.getOrdinal(), device.getMilli(), allocation);
            }
            long bytes = allocation.getClaim().getMemoryBytes();
            switch (allocation.getState()) {
                case ALLOCATION_STATE_NOMINATED -> nominatedBytes += bytes;
                case ALLOCATION_STATE_RELEASING -> {
                    occupiedBytes += bytes;
                    releasingBytes += bytes;
                }
                default -> occupiedBytes += bytes;
            }
        }
        cores.compare("core", node.free().cores(), Shares.NONE);
        devices.compare("device", node.free().devices(), quarantine());
        compare(
                "memory",
                node.capacity().memoryBytes(),
                occupiedBytes,
                Math.max(0, nominatedBytes - releasingBytes),
                0,
                node.free().memoryBytes());
        links();
        return problems;
    }

    /** What nobody has of a quarantined device is neither free nor anybody's. */
    private Shares quarantine() {
        if (node.node().getStatus().getQuarantinedCount() == 0) {
            return Shares.NONE;
        }
        int[] ordinals = node.node().getStatus().getQuarantinedList().stream()
                .mapToInt(quarantine -> quarantine.getOrdinal())
                .toArray();
        int[] whole = new int[ordinals.length];
        java.util.Arrays.fill(whole, Amounts.WHOLE_MILLI);
        return Shares.adopt(ordinals, whole);
    }

    private void links() {
        if (node.capacity().links().names().isEmpty()
                && node.occupied().links().names().isEmpty()) {
            return;
        }
        NodeTally again = NodeTally.EMPTY;
        for (Allocation allocation : node.allocations()) {
            again = again.plus(allocation);
        }
        for (String name : node.capacity().links().names()) {
            compare(
                    name,
                    node.capacity().links().of(name),
                    again.occupied().links().of(name),
                    again.nominatedFree().links().of(name),
                    0,
                    node.free().links().of(name));
        }
    }

    /** capacity = free + occupied + nominated-free + quarantined, and nothing is free where more is occupied than there is. */
    private void compare(String what, long capacity, long occupied, long nominatedFree, long quarantined, long free) {
        boolean good = occupied > capacity
                ? free == 0
                : free >= 0 && capacity == free + occupied + nominatedFree + quarantined;
        if (!good) {
            problems.add(what + ": capacity " + capacity + ", occupied " + occupied + ", nominated-free "
                    + nominatedFree + ", quarantined " + quarantined + ", free " + free);
        }
    }

    /** Thousandths by id, in arrays beside the capacity's ids; what the node no longer has need not be compared. */
    private final class Column {
        private final Shares capacity;
        private final int[] occupied;
        private final int[] releasing;
        private final int[] nominated;

        Column(Shares capacity) {
            this.capacity = capacity;
            this.occupied = new int[capacity.size()];
            this.releasing = new int[capacity.size()];
            this.nominated = new int[capacity.size()];
        }

        void add(int id, int milli, Allocation allocation) {
            int at = capacity.positionOf(id);
            if (at < 0) {
                return;
            }
            switch (allocation.getState()) {
                case ALLOCATION_STATE_NOMINATED -> nominated[at] += milli;
                case ALLOCATION_STATE_RELEASING -> {
                    occupied[at] += milli;
                    releasing[at] += milli;
                }
                default -> occupied[at] += milli;
            }
        }

        void compare(String kind, Shares free, Shares quarantine) {
            for (int at = 0; at < occupied.length; at++) {
                int id = capacity.idAt(at);
                int nominatedFree = Math.max(0, nominated[at] - releasing[at]);
                int left = Math.max(0, capacity.milliAt(at) - occupied[at] - nominatedFree);
                NodeCount.this.compare(
                        kind + " " + id,
                        capacity.milliAt(at),
                        occupied[at],
                        nominatedFree,
                        quarantine.has(id) ? left : 0,
                        free.milli(id));
            }
        }
    }
}
