package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.LinkShare;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.Placement;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.Bandwidths;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;

/** Whether a claim is one at all: each thing once, in order, in amounts that exist, on a node that has it. */
final class ClaimForm {
    private static final String SHARE = "1 to " + Amounts.WHOLE_MILLI + " thousandths";

    private final Conflicts conflicts;

    ClaimForm(Conflicts conflicts) {
        this.conflicts = conflicts;
    }

    /** Adds the first thing that is wrong; returns whether nothing is. */
    boolean check(Placement placement, NodeEntry node) {
        Claim claim = placement.getClaim();
        return ascending(placement, claim) && amounts(placement, claim) && exists(placement, claim, node);
    }

    private boolean ascending(Placement placement, Claim claim) {
        List<List<? extends Comparable<?>>> columns = List.of(
                claim.getCoresList().stream().map(CoreShare::getCoreId).toList(),
                claim.getDevicesList().stream().map(DeviceShare::getOrdinal).toList(),
                claim.getNicsList().stream().map(NicShare::getNic).toList(),
                claim.getLinksList().stream().map(ClaimForm::key).toList());
        List<String> names = List.of("cores", "devices", "nics", "links");
        for (int i = 0; i < columns.size(); i++) {
            if (!ascends(columns.get(i))) {
                return report(placement, names.get(i), "not ascending", "each once, in ascending order");
            }
        }
        return true;
    }

    private static long key(LinkShare link) {
        return (long) link.getFromOrdinal() << Integer.SIZE | link.getToOrdinal();
    }

    @SuppressWarnings("unchecked")
    private static boolean ascends(List<? extends Comparable<?>> keys) {
        for (int i = 1; i < keys.size(); i++) {
            if (((Comparable<Object>) keys.get(i - 1)).compareTo(keys.get(i)) >= 0) {
                return false;
            }
        }
        return true;
    }

    private boolean amounts(Placement placement, Claim claim) {
        for (CoreShare core : claim.getCoresList()) {
            if (!isShare(core.getMilli())) {
                return report(placement, "core " + core.getCoreId(), Integer.toString(core.getMilli()), SHARE);
            }
        }
        for (DeviceShare device : claim.getDevicesList()) {
            if (!isShare(device.getMilli())) {
                return report(placement, "device " + device.getOrdinal(), Integer.toString(device.getMilli()), SHARE);
            }
        }
        if (claim.getMemoryBytes() < 0) {
            return report(placement, "memory", Long.toString(claim.getMemoryBytes()), "0 or more bytes");
        }
        List<Long> bits = new ArrayList<>();
        claim.getNicsList().forEach(nic -> bits.add(nic.getBitsPerSecond()));
        claim.getLinksList().forEach(link -> bits.add(link.getBitsPerSecond()));
        return bits.stream()
                .filter(amount -> amount <= 0)
                .findFirst()
                .map(amount -> report(placement, "bandwidth", Long.toString(amount), "1 or more bit/s"))
                .orElse(true);
    }

    private static boolean isShare(int milli) {
        return milli >= 1 && milli <= Amounts.WHOLE_MILLI;
    }

    private boolean exists(Placement placement, Claim claim, NodeEntry node) {
        Amounts has = node.capacity();
        List<String> missing = new ArrayList<>();
        for (CoreShare core : claim.getCoresList()) {
            if (!has.cores().has(core.getCoreId())) {
                missing.add("core " + core.getCoreId());
            }
        }
        for (DeviceShare device : claim.getDevicesList()) {
            if (!has.devices().has(device.getOrdinal())) {
                missing.add("device " + device.getOrdinal());
            }
        }
        for (NicShare nic : claim.getNicsList()) {
            missingLink(has, Bandwidths.nicName(nic.getNic()), missing);
        }
        for (LinkShare link : claim.getLinksList()) {
            missingLink(has, Bandwidths.linkName(link.getFromOrdinal(), link.getToOrdinal()), missing);
        }
        return missing.isEmpty() || report(placement, missing.get(0), "claimed", "one that the node has");
    }

    private static void missingLink(Amounts has, String name, List<String> missing) {
        if (!has.links().names().contains(name)) {
            missing.add(name);
        }
    }

    private boolean report(Placement placement, String what, String value, String expected) {
        conflicts.add(ConflictKind.CONFLICT_KIND_CLAIM, placement.getNode(), what, value, expected);
        return false;
    }
}
