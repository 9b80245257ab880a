package io.surestate.agent.core;

import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.NodeConditionList;
import io.surestate.api.v1.NodeSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is known of the node at one moment. Immutable.
 *
 * @param spec with the devices' health
 * @param ailments why devices are ill, by ordinal
 * @param conditions ascending by name
 */
public record NodePicture(NodeSpec spec, Map<Integer, String> ailments, NodeConditionList conditions) {
    public NodePicture {
        ailments = Map.copyOf(ailments);
    }

    /** A node that nothing is the matter with. */
    public static NodePicture of(NodeSpec spec) {
        return new NodePicture(spec, Map.of(), NodeConditionList.getDefaultInstance());
    }

    /** Whether the node is the same apart from how it is doing: where it is another one, the leader must hear a hello. */
    boolean hasShapeOf(NodePicture other) {
        return spec.equals(other.spec) || shape().equals(other.shape());
    }

    private NodeSpec shape() {
        NodeSpec.Builder shape = spec.toBuilder();
        shape.getDevicesBuilderList().forEach(device -> device.clearHealth());
        return shape.build();
    }

    /** Of each device, ascending by ordinal. */
    List<DeviceReport> health() {
        return spec.getDevicesList().stream()
                .map(device -> DeviceReport.newBuilder()
                        .setOrdinal(device.getOrdinal())
                        .setHealth(device.getHealth())
                        .setReason(ailments.getOrDefault(device.getOrdinal(), ""))
                        .build())
                .toList();
    }

    /** Of those that are ill. */
    List<DeviceReport> ill() {
        return health().stream()
                .filter(report -> report.getHealth() == DeviceHealth.DEVICE_HEALTH_UNHEALTHY)
                .toList();
    }

    /** The health of each device by its ordinal. */
    static Map<Integer, DeviceHealth> byOrdinal(List<DeviceReport> reports) {
        Map<Integer, DeviceHealth> health = new TreeMap<>();
        reports.forEach(report -> health.put(report.getOrdinal(), report.getHealth()));
        return health;
    }
}
