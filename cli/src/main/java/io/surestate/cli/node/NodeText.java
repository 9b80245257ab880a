package io.surestate.cli.node;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.Oversubscription;
import io.surestate.manifest.Quantity;
import io.surestate.manifest.dialect.EnumNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Parts of nodes in words. */
final class NodeText {
    private static final long KIBI = 1_024;
    private static final double BITS_PER_GIGABIT = 1e9;
    private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};

    private NodeText() {}

    static String state(Node node) {
        return EnumNames.shortName(node.getStatus().getState().getValueDescriptor());
    }

    /** The state and what else is the matter: {@code READY,OVERSUBSCRIBED}. */
    static String condition(Node node) {
        NodeStatus status = node.getStatus();
        return state(node)
                + (status.hasCordon() ? status.getCordon().getDrain() ? ",DRAINING" : ",CORDONED" : "")
                + (status.getFencedMillis() == 0 ? "" : ",FENCED")
                + (status.getOversubscribedCount() == 0 ? "" : ",OVERSUBSCRIBED")
                + (status.getQuarantinedCount() == 0 ? "" : ",QUARANTINED:" + status.getQuarantinedCount())
                + (status.getConditionsCount() == 0 ? "" : ",CONDITIONS:" + status.getConditionsCount());
    }

    /** {@code device 2: 1 held of 0}. */
    static String oversubscribed(Oversubscription over) {
        return over.getWhat() + ": " + amount(over, over.getHeld()) + " held of " + amount(over, over.getCapacity());
    }

    private static String amount(Oversubscription over, long amount) {
        String what = over.getWhat();
        if (what.equals("memory")) {
            return bytes(amount);
        }
        boolean bandwidth = what.startsWith("nic ") || what.startsWith("link ");
        return bandwidth ? amount + " bit/s" : Quantity.formatMilli(amount);
    }

    /** {@code rack=r7, tray=t3}; empty if it has no place. */
    static String place(Node node) {
        return String.join(
                ", ",
                node.getSpec().getDomainsList().stream()
                        .map(domain -> domain.getLevel() + "=" + domain.getName())
                        .toList());
    }

    /** About so many bytes, such as {@code 23.4Gi}; exact amounts are for -o json. */
    static String bytes(long bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= KIBI && unit < BINARY.length - 1) {
            amount /= KIBI;
            unit++;
        }
        String number =
                amount == Math.rint(amount) ? Long.toString((long) amount) : String.format(Locale.ROOT, "%.1f", amount);
        return number + BINARY[unit];
    }

    /** Empty = none or unknown. */
    static String rate(long bitsPerSecond) {
        return bitsPerSecond == 0 ? "" : String.format(Locale.ROOT, "%.1f Gbit/s", bitsPerSecond / BITS_PER_GIGABIT);
    }

    static String cores(long millicores) {
        return Quantity.formatMilli(millicores);
    }

    /** {@code 0-3,8}. */
    static String ranges(List<Integer> ascending) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < ascending.size(); i++) {
            int first = ascending.get(i);
            while (i + 1 < ascending.size() && ascending.get(i + 1) == ascending.get(i) + 1) {
                i++;
            }
            out.append(out.length() == 0 ? "" : ",").append(first);
            if (ascending.get(i) > first) {
                out.append('-').append(ascending.get(i));
            }
        }
        return out.toString();
    }

    /** Devices of one kind and model in one line each: {@code 8 x GPU H100 80Gi (0-7)}. */
    static List<String> devices(List<Device> devices) {
        Map<String, List<Integer>> ordinals = new LinkedHashMap<>();
        for (Device device : devices) {
            String what = EnumNames.shortName(device.getKind().getValueDescriptor())
                    + (device.getModel().isEmpty() ? "" : " " + device.getModel())
                    + (device.getMemoryBytes() == 0 ? "" : " " + bytes(device.getMemoryBytes()))
                    + (device.getNumaNode() > 0 ? " numa " + device.getNumaNode() : "");
            ordinals.computeIfAbsent(what, key -> new ArrayList<>()).add(device.getOrdinal());
        }
        return ordinals.entrySet().stream()
                .map(entry -> entry.getValue().size() + " x " + entry.getKey() + " (" + ranges(entry.getValue()) + ")")
                .toList();
    }
}
