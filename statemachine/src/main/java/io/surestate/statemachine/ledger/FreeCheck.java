package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceShare;
import io.surestate.statemachine.state.NodeEntry;
import java.util.function.Predicate;

/** Whether everything that a claim takes is free; names the present holder where it is not. */
final class FreeCheck {
    private final Conflicts conflicts;
    private final long index;

    /** The index tells this plan's own allocations from those before it. */
    FreeCheck(Conflicts conflicts, long index) {
        this.conflicts = conflicts;
        this.index = index;
    }

    /** Adds what is not free; returns whether all is. */
    boolean check(Claim claim, NodeEntry node) {
        boolean free = true;
        for (CoreShare core : claim.getCoresList()) {
            int left = node.free().cores().milli(core.getCoreId());
            if (left < core.getMilli()) {
                report(node, "core " + core.getCoreId(), core.getMilli(), left, a -> holdsCore(a, core.getCoreId()));
                free = false;
            }
        }
        for (DeviceShare device : claim.getDevicesList()) {
            int left = node.free().devices().milli(device.getOrdinal());
            if (left < device.getMilli()) {
                String what = "device " + device.getOrdinal();
                report(node, what, device.getMilli(), left, a -> holdsDevice(a, device.getOrdinal()));
                free = false;
            }
        }
        if (node.free().memoryBytes() < claim.getMemoryBytes()) {
            report(
                    node,
                    "memory",
                    claim.getMemoryBytes(),
                    node.free().memoryBytes(),
                    a -> a.getClaim().getMemoryBytes() > 0);
            free = false;
        }
        return free;
    }

    private void report(NodeEntry node, String what, long wanted, long left, Predicate<Allocation> holds) {
        String holder = node.allocations().stream()
                .filter(holds)
                .filter(allocation -> allocation.getEpoch() < index)
                .map(Allocation::getId)
                .findFirst()
                .orElse("");
        String by = holder.isEmpty() ? "" : ", held by " + holder;
        conflicts.add(
                node.node().getName(), what, Long.toString(wanted), "at most " + left + ", which is free" + by, holder);
    }

    private static boolean holdsCore(Allocation allocation, int core) {
        return allocation.getClaim().getCoresList().stream().anyMatch(share -> share.getCoreId() == core);
    }

    private static boolean holdsDevice(Allocation allocation, int ordinal) {
        return allocation.getClaim().getDevicesList().stream().anyMatch(share -> share.getOrdinal() == ordinal);
    }
}
