package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Claim;
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

/** Whether a claim takes exactly what a task's group asks for, in a form that can be counted. */
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
        boolean form = ascending(cores.stream().map(CoreShare::getCoreId).toList());
        long wholes = cores.stream()
                .filter(core -> core.getMilli() == Amounts.WHOLE_MILLI)
                .count();
        List<Integer> parts = cores.stream()
                .map(CoreShare::getMilli)
                .filter(milli -> milli != Amounts.WHOLE_MILLI)
                .toList();
        boolean amounts = wholes == whole && (fraction == 0 ? parts.isEmpty() : parts.equals(List.of((int) fraction)));
        return report(
                form && amounts,
                placement,
                "cores",
                wholes + " whole and parts " + parts + (form ? "" : ", not ascending"),
                whole + " whole cores and one part of " + fraction + " thousandths, ascending by core id");
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
        int nics = placement.getClaim().getNicsCount();
        return report(nics == 0, placement, "network", nics + " shares", "none; links are not given out yet");
    }

    private boolean devices(Placement placement, Resources asked, NodeEntry node) {
        Claim claim = placement.getClaim();
        boolean form = ascending(
                claim.getDevicesList().stream().map(DeviceShare::getOrdinal).toList());
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
                form && served && left.isEmpty(),
                placement,
                "devices",
                claim.getDevicesCount() + " claimed" + (form ? "" : ", not ascending"),
                expected(asked));
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
        return wanted.isEmpty() ? "none" : String.join(", ", wanted) + ", ascending by ordinal";
    }

    private static boolean ascending(List<Integer> numbers) {
        for (int i = 1; i < numbers.size(); i++) {
            if (numbers.get(i - 1) >= numbers.get(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean report(boolean good, Placement placement, String what, String value, String expected) {
        if (!good) {
            conflicts.add(placement.getNode(), what, value, expected, "");
        }
        return good;
    }
}
