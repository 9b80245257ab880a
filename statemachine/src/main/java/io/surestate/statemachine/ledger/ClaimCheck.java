package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Resources;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Whether a claim of good form takes exactly what a task's group asks for. */
final class ClaimCheck {
    private final Conflicts conflicts;

    ClaimCheck(Conflicts conflicts) {
        this.conflicts = conflicts;
    }

    /** Adds what is wrong; returns whether nothing is. */
    boolean check(Placement placement, Resources asked, NodeEntry node) {
        return cores(placement, asked)
                && memory(placement, asked)
                && nics(placement)
                && devices(placement, asked, node);
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

    private boolean nics(Placement placement) {
        int shares = placement.getClaim().getNicsCount() + placement.getClaim().getLinksCount();
        return report(shares == 0, placement, "network", shares + " shares", "none; tasks do not ask for links yet");
    }

    private boolean devices(Placement placement, Resources asked, NodeEntry node) {
        Claim claim = placement.getClaim();
        List<DeviceShare> left = new ArrayList<>(claim.getDevicesList());
        boolean served = true;
        for (DeviceRequest request : namedModelsFirst(asked)) {
            for (int i = 0; i < request.getCount(); i++) {
                Optional<DeviceShare> share =
                        left.stream().filter(s -> serves(s, request, node)).findFirst();
                served &= share.isPresent();
                share.ifPresent(left::remove);
            }
        }
        return report(
                served && left.isEmpty(), placement, "devices", claim.getDevicesCount() + " claimed", expected(asked));
    }

    private static boolean serves(DeviceShare share, DeviceRequest request, NodeEntry node) {
        int milli = request.getShareMilli() == 0 ? Amounts.WHOLE_MILLI : request.getShareMilli();
        return share.getMilli() == milli
                && node.node().getSpec().getDevicesList().stream()
                        .filter(device -> device.getOrdinal() == share.getOrdinal())
                        .anyMatch(device -> fits(device, request));
    }

    private static boolean fits(Device device, DeviceRequest request) {
        return device.getKind() == request.getKind()
                && (request.getModel().isEmpty() || device.getModel().equals(request.getModel()))
                && device.getPartition().equals(request.getPartition());
    }

    private static List<DeviceRequest> namedModelsFirst(Resources asked) {
        return asked.getDevicesList().stream()
                .sorted(Comparator.comparing(request -> request.getModel().isEmpty()))
                .toList();
    }

    private static String expected(Resources asked) {
        List<String> wanted = asked.getDevicesList().stream()
                .map(r -> r.getCount() + " of " + r.getKind().name().replace("DEVICE_KIND_", "")
                        + (r.getModel().isEmpty() ? "" : " " + r.getModel()))
                .toList();
        return wanted.isEmpty() ? "none" : String.join(", ", wanted);
    }

    private boolean report(boolean good, Placement placement, String what, String value, String expected) {
        if (!good) {
            conflicts.add(ConflictKind.CONFLICT_KIND_CLAIM, placement.getNode(), what, value, expected);
        }
        return good;
    }
}
