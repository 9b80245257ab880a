package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceShare;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts a node's allocations again, from nothing but the allocations themselves, and compares with what its entry says: an independent
 * second opinion, so it uses none of the sums that the entry keeps. Used once, by one thread.
 */
final class NodeCount {
    private static final int[] NONE = new int[0];

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
                cores.add(core.getCoreId(), core.getMilli(), allocation.getState());
            }
            for (DeviceShare device : allocation.getClaim().getDevicesList()) {
                devices.add(device.getOrdinal(), device.getMilli(), allocation.getState());
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
        // What nobody has of a quarantined device is neither free nor anybody's.
        devices.compare("device", node.free().devices(), NodeEntry.quarantine(node.node()));
        compare(
                "memory",
                node.capacity().memoryBytes(),
                occupiedBytes,
                Math.max(0, nominatedBytes - releasingBytes),
                0,
                node.free().memoryBytes());
        named();
        return problems;
    }

    private void named() {
        if (node.capacity().named().names().isEmpty()
                && node.occupied().named().names().isEmpty()) {
            return;
        }
        NodeTally again = NodeTally.EMPTY;
        for (Allocation allocation : node.allocations()) {
            again = again.plus(allocation);
        }
        for (String name : node.capacity().named().names()) {
            compare(
                    name,
                    node.capacity().named().of(name),
                    again.occupied().named().of(name),
                    again.nominatedFree().named().of(name),
                    0,
                    node.free().named().of(name));
        }
    }

    private void compare(String what, long capacity, long occupied, long nominatedFree, long quarantined, long free) {
        if (!addsUp(capacity, occupied, nominatedFree, quarantined, free)) {
            problem(what, capacity, occupied, nominatedFree, quarantined, free);
        }
    }

    /** capacity = free + occupied + nominated-free + quarantined, and nothing is free where more is occupied than there is. */
    private static boolean addsUp(long capacity, long occupied, long nominatedFree, long quarantined, long free) {
        return occupied > capacity ? free == 0 : free >= 0 && capacity == free + occupied + nominatedFree + quarantined;
    }

    private void problem(String what, long capacity, long occupied, long nominatedFree, long quarantined, long free) {
        problems.add(what + ": capacity " + capacity + ", occupied " + occupied + ", nominated-free " + nominatedFree
                + ", quarantined " + quarantined + ", free " + free);
    }

    /** Thousandths by id, in arrays beside the capacity's ids; what the node no longer has need not be compared. */
    private final class Column {
        private final Shares capacity;
        private final int[] occupied;
        /** Made where something is being released or nominated, which is seldom. */
        private int[] releasing = NONE;

        private int[] nominated = NONE;

        Column(Shares capacity) {
            this.capacity = capacity;
            this.occupied = new int[capacity.size()];
        }

        void add(int id, int milli, AllocationState state) {
            int at = capacity.positionOf(id);
            if (at < 0) {
                return;
            }
            if (state == AllocationState.ALLOCATION_STATE_NOMINATED) {
                nominated = made(nominated);
                nominated[at] += milli;
                return;
            }
            occupied[at] += milli;
            if (state == AllocationState.ALLOCATION_STATE_RELEASING) {
                releasing = made(releasing);
                releasing[at] += milli;
            }
        }

        private int[] made(int[] column) {
            return column == NONE ? new int[occupied.length] : column;
        }

        private int nominatedFree(int at) {
            int released = releasing == NONE ? 0 : releasing[at];
            return nominated == NONE ? 0 : Math.max(0, nominated[at] - released);
        }

        void compare(String kind, Shares free, Shares quarantine) {
            if (free.size() != occupied.length) {
                problems.add(kind + "s: " + free.size() + " of " + occupied.length + " are told");
                return;
            }
            for (int at = 0; at < occupied.length; at++) {
                int id = capacity.idAt(at);
                int has = capacity.milliAt(at);
                int promised = nominatedFree(at);
                int quarantined = quarantine.has(id) ? Math.max(0, has - occupied[at] - promised) : 0;
                boolean good =
                        free.idAt(at) == id && addsUp(has, occupied[at], promised, quarantined, free.milliAt(at));
                if (!good) {
                    problem(kind + " " + id, has, occupied[at], promised, quarantined, free.milliAt(at));
                }
            }
        }
    }
}
