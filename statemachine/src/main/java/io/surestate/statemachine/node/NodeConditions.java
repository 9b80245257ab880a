package io.surestate.statemachine.node;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.Oversubscription;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.NodeEntry;
import io.surestate.statemachine.state.Shares;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Keeps in a node's status what follows from its hardware and its holders: which devices are quarantined, and what is held beyond what
 * there is.
 */
public final class NodeConditions {
    private NodeConditions() {}

    /** Brings the status up to date with spec and allocations; no change where it is. */
    public static void refresh(Draft draft, String name) {
        NodeEntry entry = draft.state().node(name).orElseThrow();
        NodeStatus before = entry.node().getStatus();
        Node.Builder changed = entry.node().toBuilder();
        quarantines(draft, entry).into(changed.getStatusBuilder());
        changed.getStatusBuilder().clearOversubscribed().addAllOversubscribed(oversubscribed(entry));
        if (!changed.getStatus().equals(before)) {
            draft.put(changed);
        }
    }

    /** Called by every Tick: ends probations that are over by time, on at most so many nodes. */
    public static void endProbations(Draft draft, int limit) {
        draft.state().nodesOnProbation().stream()
                .filter(entry -> entry.probationEndsMillis() <= draft.timeMillis())
                .limit(limit)
                .toList()
                .forEach(entry -> {
                    Node.Builder changed = entry.node().toBuilder();
                    Quarantines quarantines = quarantinesOf(draft, entry.node());
                    quarantines.endDue();
                    quarantines.into(changed.getStatusBuilder());
                    draft.put(changed);
                });
    }

    static Quarantines quarantinesOf(Draft draft, Node node) {
        return new Quarantines(node.getStatus(), draft.state().meta().getSettings(), draft.timeMillis());
    }

    private static Quarantines quarantines(Draft draft, NodeEntry entry) {
        Quarantines quarantines = quarantinesOf(draft, entry.node());
        TreeSet<Integer> ill = new TreeSet<>();
        for (Device device : entry.node().getSpec().getDevicesList()) {
            if (unhealthy(entry.node().getSpec(), device)) {
                ill.add(device.getOrdinal());
                quarantines.ill(device.getOrdinal(), "");
            }
        }
        for (int ordinal : quarantines.devices()) {
            if (!ill.contains(ordinal)) {
                quarantines.well(ordinal, entry.occupied().devices().milli(ordinal) > 0);
            }
        }
        return quarantines;
    }

    /** Whether a change of allocations alone may change the status. */
    public static boolean hasAny(Node node) {
        return node.getStatus().getQuarantinedCount() > 0 || node.getStatus().getOversubscribedCount() > 0;
    }

    /** A partition is as ill as the device that it is a part of. */
    private static boolean unhealthy(NodeSpec spec, Device device) {
        return device.getHealth() == DeviceHealth.DEVICE_HEALTH_UNHEALTHY
                || (device.getParentPlusOne() > 0
                        && spec.getDevicesList().stream()
                                .filter(parent -> parent.getOrdinal() == device.getParentPlusOne() - 1)
                                .anyMatch(parent -> parent.getHealth() == DeviceHealth.DEVICE_HEALTH_UNHEALTHY));
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
