package io.surestate.testkit.sim;

import io.surestate.api.v1.AgentMessage;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What a machine has. Devices may vanish, come back, fall ill and get well while it runs; whoever says hello or reports from this machine
 * tells how they are in that moment. One thread.
 */
final class SimHardware {
    static final long MEMORY_BYTES = 64L << 30;

    private final String hostname;
    private final int cores;
    private final int devices;
    private final TreeSet<Integer> ill = new TreeSet<>();
    private int there;

    SimHardware(String hostname, int cores, int devices) {
        this.hostname = hostname;
        this.cores = cores;
        this.devices = devices;
        this.there = devices;
    }

    int devices() {
        return devices;
    }

    /** Only the first so many are there from now on. */
    void keep(int devicesThere) {
        there = devicesThere;
    }

    /** Falls ill, or gets well. */
    void turn(int ordinal) {
        if (!ill.remove(ordinal)) {
            ill.add(ordinal);
        }
    }

    /** Everything is there and well again; whether anything changed. */
    boolean mend() {
        boolean changed = there != devices || !ill.isEmpty();
        there = devices;
        ill.clear();
        return changed;
    }

    NodeSpec spec() {
        return NodeSpec.newBuilder()
                .setHostname(hostname)
                .setMemoryBytes(MEMORY_BYTES)
                .addNuma(NumaNode.newBuilder()
                        .addAllCoreIds(IntStream.range(0, cores).boxed().toList())
                        .setMemoryBytes(MEMORY_BYTES))
                .addAllDevices(IntStream.range(0, there).mapToObj(this::device).toList())
                .build();
    }

    private Device device(int ordinal) {
        return Device.newBuilder()
                .setOrdinal(ordinal)
                .setKind(DeviceKind.DEVICE_KIND_GPU)
                .setModel("model")
                .setNumaNode(-1)
                .setHealth(health(ordinal))
                .build();
    }

    private DeviceHealth health(int ordinal) {
        return ill.contains(ordinal) ? DeviceHealth.DEVICE_HEALTH_UNHEALTHY : DeviceHealth.DEVICE_HEALTH_HEALTHY;
    }

    /** The message with what is true of the hardware now. */
    AgentMessage told(AgentMessage message) {
        if (message.hasHello()) {
            AgentMessage.Builder hello = message.toBuilder();
            hello.getHelloBuilder().setSpec(spec());
            return hello.build();
        }
        if (message.hasReport()) {
            List<DeviceReport> health = IntStream.range(0, there)
                    .mapToObj(ordinal -> DeviceReport.newBuilder()
                            .setOrdinal(ordinal)
                            .setHealth(health(ordinal))
                            .build())
                    .toList();
            AgentMessage.Builder report = message.toBuilder();
            report.getReportBuilder().addAllDevices(health);
            return report.build();
        }
        return message;
    }
}
