package io.surestate.statemachine.node;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.Oversubscription;
import io.surestate.api.v1.Quarantine;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.NodeEntry;
import io.surestate.statemachine.state.Shares;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Keeps in a node's status what follows from its hardware and its holders: which devices are quarantined, and what is held beyond what
 * there is. A device is quarantined when it is unhealthy, and stays so until it is healthy and nobody holds any of it.
 */
public final class NodeConditions {
    private NodeConditions() {}

    /** Brings the status up to date with spec and allocations; no change where it is. */
    public static void refresh(Draft draft, String name) {
        NodeEntry entry = draft.state().node(name).orElseThrow();
        NodeStatus before = entry.node().getStatus();
        List<Quarantine> quarantined = quarantined(entry, draft.timeMillis());
        List<Oversubscription> oversubscribed = oversubscribed(entry);
        if (!quarantined.equals(before.getQuarantinedList())
                || !oversubscribed.equals(before.getOversubscribedList())) {
            Node.Builder changed = entry.node().toBuilder();
            changed.getStatusBuilder()
                    .clearQuarantined()
                    .addAllQuarantined(quarantined)
                    .clearOversubscribed()
                    .addAllOversubscribed(oversubscribed);
            draft.put(changed);
        }
    }

    /** Whether a change of allocations alone may change the status. */
    public static boolean hasAny(Node node) {
        return node.getStatus().getQuarantinedCount() > 0 || node.getStatus().getOversubscribedCount() > 0;
    }

    private static List<Quarantine> quarantined(NodeEntry entry, long nowMillis) {
        TreeMap<Integer, Quarantine> found = new TreeMap<>();
        for (Quarantine before : entry.node().getStatus().getQuarantinedList()) {
            if (entry.occupied().devices().milli(before.getOrdinal()) > 0) {
                found.put(before.getOrdinal(), before);
            }
        }
        for (Device device : entry.node().getSpec().getDevicesList()) {
            if (unhealthy(entry.node().getSpec(), device)) {
                found.put(device.getOrdinal(), quarantine(entry.node(), device.getOrdinal(), nowMillis));
            }
        }
        return List.copyOf(found.values());
    }

    /** A partition is as ill as the device that it is a part of. */
    private static boolean unhealthy(NodeSpec spec, Device device) {
        return device.getHealth() == DeviceHealth.DEVICE_HEALTH_UNHEALTHY
                || (device.getParentPlusOne() > 0
                        && spec.getDevicesList().stream()
                                .filter(parent -> parent.getOrdinal() == device.getParentPlusOne() - 1)
                                .anyMatch(parent -> parent.getHealth() == DeviceHealth.DEVICE_HEALTH_UNHEALTHY));
    }

    /** As it stands, or new. */
    private static Quarantine quarantine(Node node, int ordinal, long nowMillis) {
        return node.getStatus().getQuarantinedList().stream()
                .filter(quarantine -> quarantine.getOrdinal() == ordinal)
                .findFirst()
                .orElseGet(() -> quarantine(ordinal, "", nowMillis));
    }

    /** A new one; without a reason it says that the device was reported unhealthy. */
    static Quarantine quarantine(int ordinal, String reason, long nowMillis) {
        return Quarantine.newBuilder()
                .setOrdinal(ordinal)
                .setReason(reason.isEmpty() ? "reported unhealthy" : reason)
                .setSinceMillis(nowMillis)
                .build();
    }

    private static List<Oversubscription> oversubscribed(NodeEntry entry) {
        Amounts held = entry.occupied();
        Amounts has = entry.capacity();
        if (has.covers(held)) {
            return List.of();
        }
        List<Oversubscription> found = new ArrayList<>();
        compare(found, "core ", held.cores(), has.cores());
        if (held.memoryBytes() > has.memoryBytes()) {
            found.add(over("memory", held.memoryBytes(), has.memoryBytes()));
        }
        compare(found, "device ", held.devices(), has.devices());
        for (String name : held.named().names()) {
            if (held.named().of(name) > has.named().of(name)) {
                found.add(over(name, held.named().of(name), has.named().of(name)));
            }
        }
        return found;
    }

    private static void compare(List<Oversubscription> found, String kind, Shares held, Shares has) {
        for (int i = 0; i < held.size(); i++) {
            int id = held.idAt(i);
            if (held.milliAt(i) > has.milli(id)) {
                found.add(over(kind + id, held.milliAt(i), has.milli(id)));
            }
        }
    }

    private static Oversubscription over(String what, long held, long capacity) {
        return Oversubscription.newBuilder()
                .setWhat(what)
                .setHeld(held)
                .setCapacity(capacity)
                .build();
    }
}
