package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceShare;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.NamedAmounts;
import io.surestate.statemachine.state.NodeEntry;
import java.util.Map;
import java.util.function.Predicate;

/** Whether everything that a claim takes can be had; names the present holder where it cannot. */
final class FitCheck {
    private final Conflicts conflicts;
    private final String firstOwnId;

    /** From the first own id on allocations are the plan's own, which may never come to be: they are no holders. */
    FitCheck(Conflicts conflicts, String firstOwnId) {
        this.conflicts = conflicts;
        this.firstOwnId = firstOwnId;
    }

    /** Adds the first thing that cannot be had of what is there to be had; returns whether all can. */
    boolean check(Claim claim, NodeEntry node, Amounts there) {
        return cores(claim, node, there)
                && devices(claim, node, there)
                && memory(claim, node, there)
                && named(claim, node, there);
    }

    private boolean cores(Claim claim, NodeEntry node, Amounts there) {
        for (CoreShare core : claim.getCoresList()) {
            int id = core.getCoreId();
            if (there.cores().milli(id) < core.getMilli()) {
                return taken(node, "core " + id, core.getMilli(), there.cores().milli(id), a -> holdsCore(a, id));
            }
        }
        return true;
    }

    private boolean devices(Claim claim, NodeEntry node, Amounts there) {
        for (DeviceShare device : claim.getDevicesList()) {
            int ordinal = device.getOrdinal();
            if (there.devices().milli(ordinal) >= device.getMilli()) {
                continue;
            }
            if (node.quarantined(ordinal)) {
                conflicts.quarantined(node.node().getName(), ordinal);
                return false;
            }
            int free = there.devices().milli(ordinal);
            return taken(node, "device " + ordinal, device.getMilli(), free, a -> holdsDevice(a, ordinal));
        }
        return true;
    }

    private boolean memory(Claim claim, NodeEntry node, Amounts there) {
        return there.memoryBytes() >= claim.getMemoryBytes()
                || taken(
                        node,
                        "memory",
                        claim.getMemoryBytes(),
                        there.memoryBytes(),
                        a -> a.getClaim().getMemoryBytes() > 0);
    }

    private boolean named(Claim claim, NodeEntry node, Amounts there) {
        for (Map.Entry<String, Long> asked : NamedAmounts.of(claim).byName().entrySet()) {
            String name = asked.getKey();
            long free = there.named().of(name);
            if (free < asked.getValue()) {
                return taken(node, name, asked.getValue(), free, a -> holds(a, name));
            }
        }
        return true;
    }

    private boolean taken(NodeEntry node, String what, long asked, long free, Predicate<Allocation> holds) {
        Allocation holder = node.allocations().stream()
                .filter(holds)
                .filter(allocation -> allocation.getId().compareTo(firstOwnId) < 0)
                // The newest: since it came there is no more than now.
                .reduce((older, newer) -> newer)
                .orElse(Allocation.getDefaultInstance());
        long since = holder.getEpoch() == 0 ? node.node().getRevision() : holder.getEpoch();
        String mark = holder.getState() == AllocationState.ALLOCATION_STATE_RELEASING ? " (being released)" : "";
        conflicts.taken(node.node().getName(), what + mark, new Conflicts.Amount(asked, free), holder, since);
        return false;
    }

    private static boolean holdsCore(Allocation allocation, int core) {
        return allocation.getClaim().getCoresList().stream().anyMatch(share -> share.getCoreId() == core);
    }

    private static boolean holdsDevice(Allocation allocation, int ordinal) {
        return allocation.getClaim().getDevicesList().stream().anyMatch(share -> share.getOrdinal() == ordinal);
    }

    private static boolean holds(Allocation allocation, String name) {
        return NamedAmounts.of(allocation.getClaim()).of(name) > 0;
    }
}
