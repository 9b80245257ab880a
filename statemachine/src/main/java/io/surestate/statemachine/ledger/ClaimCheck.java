package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.StorageShare;
import io.surestate.statemachine.state.Accelerators;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Whether a claim of good form takes exactly what a task's group asks for, in one of the ways in which it can be met. */
final class ClaimCheck {
    private final Conflicts conflicts;
    private final Accelerators accelerators;

    ClaimCheck(Conflicts conflicts, Accelerators accelerators) {
        this.conflicts = conflicts;
        this.accelerators = accelerators;
    }

    /** Adds what is wrong; returns whether nothing is. */
    boolean check(Placement placement, Resources asked, NodeEntry node) {
        return cores(placement, asked)
                && memory(placement, asked)
                && named(placement, asked)
                && devices(placement, asked, node)
                && aligned(placement, asked, node);
    }

    private boolean cores(Placement placement, Resources asked) {
        long whole = asked.getCpuMillicores() / Amounts.WHOLE_MILLI;
        long fraction = asked.getCpuMillicores() % Amounts.WHOLE_MILLI;
        List<CoreShare> cores = placement.getClaim().getCoresList();
        long wholes = cores.stream()
                .filter(core -> core.getMilli() == Amounts.WHOLE_MILLI)
                .count();
        List<Integer> parts = cores.stream()
                .map(CoreShare::getMilli)
                .filter(milli -> milli != Amounts.WHOLE_MILLI)
                .toList();
        boolean amounts = wholes == whole && (fraction == 0 ? parts.isEmpty() : parts.equals(List.of((int) fraction)));
        return report(
                amounts,
                placement,
                "cores",
                wholes + " whole and parts " + parts,
                whole + " whole cores and one part of " + fraction + " thousandths");
    }

    private boolean memory(Placement placement, Resources asked) {
        long claimed = placement.getClaim().getMemoryBytes();
        return report(
                claimed == asked.getMemoryBytes(),
                placement,
                "memory",
                Long.toString(claimed),
                asked.getMemoryBytes() + " bytes");
    }

    private boolean named(Placement placement, Resources asked) {
        Claim claim = placement.getClaim();
        long network = claim.getNicsList().stream()
                .mapToLong(NicShare::getBitsPerSecond)
                .sum();
        long storage = claim.getStorageList().stream()
                .mapToLong(StorageShare::getBytes)
                .sum();
        long wholes = asked.getStorageBytes() == 0 ? 0 : 1;
        return report(claim.getLinksCount() == 0, placement, "links", claim.getLinksCount() + " shares", "none")
                && report(
                        network == asked.getNetworkBitsPerSecond(),
                        placement,
                        "network",
                        network + " bit/s",
                        asked.getNetworkBitsPerSecond() + " bit/s")
                && report(
                        storage == asked.getStorageBytes() && claim.getStorageCount() == wholes,
                        placement,
                        "storage",
                        storage + " bytes of " + claim.getStorageCount(),
                        asked.getStorageBytes() + " bytes of " + wholes)
                && report(
                        claim.getCountablesList().equals(asked.getCountablesList()),
                        placement,
                        "countables",
                        claim.getCountablesCount() + " claimed",
                        "exactly the " + asked.getCountablesCount() + " that the task asks for");
    }

    private boolean devices(Placement placement, Resources asked, NodeEntry node) {
        Claim claim = placement.getClaim();
        boolean served = accelerators.alternatives(asked).stream()
                .anyMatch(way -> DeviceMatch.exact(
                        way.getDevicesList(),
                        claim.getDevicesList(),
                        node.node().getSpec()));
        return report(served, placement, "devices", claim.getDevicesCount() + " claimed", expected(asked));
    }

    /** Where it is asked for, everything whose place is known lies in one NUMA place. */
    private boolean aligned(Placement placement, Resources asked, NodeEntry node) {
        if (!asked.getNumaAligned()) {
            return true;
        }
        NodeSpec spec = node.node().getSpec();
        TreeSet<Integer> places = new TreeSet<>();
        for (CoreShare core : placement.getClaim().getCoresList()) {
            spec.getNumaList().stream()
                    .filter(numa -> numa.getCoreIdsList().contains(core.getCoreId()))
                    .forEach(numa -> places.add(numa.getId()));
        }
        for (DeviceShare share : placement.getClaim().getDevicesList()) {
            spec.getDevicesList().stream()
                    .filter(device -> device.getOrdinal() == share.getOrdinal() && device.getNumaNode() >= 0)
                    .forEach(device -> places.add(device.getNumaNode()));
        }
        return report(places.size() <= 1, placement, "NUMA", "places " + places, "one place for all");
    }

    private static String expected(Resources asked) {
        List<String> wanted =
                asked.getDevicesList().stream().map(ClaimCheck::expected).toList();
        return wanted.isEmpty() ? "none" : String.join(", ", wanted);
    }

    private static String expected(DeviceRequest asked) {
        List<String> words = new ArrayList<>(
                List.of((asked.getUnits() == 0 ? asked.getCount() : asked.getUnits() + " units " + asked.getPrecision())
                        + " of " + asked.getKind().name().replace("DEVICE_KIND_", "")));
        words.add(asked.getDeviceClass().isEmpty() ? "" : "class " + asked.getDeviceClass());
        words.add(asked.getVendor());
        words.add(asked.getModel() + String.join("|", asked.getModelsList()));
        words.add(asked.getPartition());
        words.add(asked.getMemoryBytes() == 0 ? "" : "with at least " + asked.getMemoryBytes() + " bytes");
        words.add(asked.getShareMilli() == 0 ? "" : asked.getShareMilli() + " thousandths each");
        words.removeIf(String::isEmpty);
        return String.join(" ", words);
    }

    private boolean report(boolean good, Placement placement, String what, String value, String expected) {
        if (!good) {
            conflicts.add(ConflictKind.CONFLICT_KIND_CLAIM, placement.getNode(), what, value, expected);
        }
        return good;
    }
}
