package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.LinkShare;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.StorageShare;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.NamedAmounts;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.stream.Stream;

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
        boolean cores = ascends(claim.getCoresCount(), (a, b) -> order(claim.getCores(a), claim.getCores(b)));
        boolean devices = ascends(claim.getDevicesCount(), (a, b) -> order(claim.getDevices(a), claim.getDevices(b)));
        boolean nics = ascends(
                claim.getNicsCount(),
                (a, b) -> claim.getNics(a).getNic().compareTo(claim.getNics(b).getNic()));
        boolean links = ascends(claim.getLinksCount(), (a, b) -> order(claim.getLinks(a), claim.getLinks(b)));
        boolean storage = ascends(
                claim.getStorageCount(),
                (a, b) -> claim.getStorage(a)
                        .getStorage()
                        .compareTo(claim.getStorage(b).getStorage()));
        boolean countables = ascends(
                claim.getCountablesCount(),
                (a, b) -> claim.getCountables(a)
                        .getName()
                        .compareTo(claim.getCountables(b).getName()));
        return ordered(placement, "cores", cores)
                && ordered(placement, "devices", devices)
                && ordered(placement, "nics", nics)
                && ordered(placement, "links", links)
                && ordered(placement, "storage", storage)
                && ordered(placement, "countables", countables);
    }

    private boolean ordered(Placement placement, String what, boolean ascends) {
        return ascends || report(placement, what, "not ascending", "each once, in ascending order");
    }

    private static int order(CoreShare one, CoreShare other) {
        return Integer.compare(one.getCoreId(), other.getCoreId());
    }

    private static int order(DeviceShare one, DeviceShare other) {
        return Integer.compare(one.getOrdinal(), other.getOrdinal());
    }

    private static int order(LinkShare one, LinkShare other) {
        int byFirst = Integer.compare(one.getFromOrdinal(), other.getFromOrdinal());
        return byFirst != 0 ? byFirst : Integer.compare(one.getToOrdinal(), other.getToOrdinal());
    }

    /** @param order of the elements at two positions */
    private static boolean ascends(int count, IntBinaryOperator order) {
        for (int i = 1; i < count; i++) {
            if (order.applyAsInt(i - 1, i) >= 0) {
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
        return Stream.of(
                        claim.getNicsList().stream().map(NicShare::getBitsPerSecond),
                        claim.getLinksList().stream().map(LinkShare::getBitsPerSecond),
                        claim.getStorageList().stream().map(StorageShare::getBytes),
                        claim.getCountablesList().stream().map(Countable::getAmount))
                .flatMap(Function.identity())
                .filter(amount -> amount <= 0)
                .findFirst()
                .map(amount -> report(placement, "amount", amount.toString(), "1 or more"))
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
        for (String name : NamedAmounts.of(claim).names()) {
            if (!has.named().names().contains(name)) {
                missing.add(name);
            }
        }
        return missing.isEmpty() || report(placement, missing.get(0), "claimed", "one that the node has");
    }

    private boolean report(Placement placement, String what, String value, String expected) {
        conflicts.add(ConflictKind.CONFLICT_KIND_CLAIM, placement.getNode(), what, value, expected);
        return false;
    }
}
