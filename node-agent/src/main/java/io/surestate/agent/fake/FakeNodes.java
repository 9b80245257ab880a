package io.surestate.agent.fake;

import io.surestate.agent.keeper.GuardedTask;
import io.surestate.agent.keeper.Keeper;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** What simulated nodes look like. Holds no state. */
public final class FakeNodes {
    private static final int CORES = 64;
    private static final long MEMORY_BYTES = 512L << 30;
    private static final long DEVICE_MEMORY_BYTES = 80L << 30;
    private static final int NODES_PER_RACK = 16;

    private FakeNodes() {}

    /**
     * How many.
     *
     * @param nodes 1 to {@link Limits#FAKE_NODES_MAX}
     * @param devices of each node
     */
    public record Count(int nodes, int devices) {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,6})x([0-9]{1,5})");

        /** Reads {@code 1000x8}. */
        public static Count parse(String text) {
            Matcher matcher = FORM.matcher(text);
            if (matcher.matches()) {
                int nodes = Integer.parseInt(matcher.group(1));
                int devices = Integer.parseInt(matcher.group(2));
                if (nodes >= 1 && nodes <= Limits.FAKE_NODES_MAX && devices <= Limits.DEVICES_PER_NODE_MAX) {
                    return new Count(nodes, devices);
                }
            }
            throw new IllegalArgumentException(Names.message(
                    "fakeNodes",
                    text,
                    "NODESxDEVICES, 1-" + Limits.FAKE_NODES_MAX + " nodes of 0-" + Limits.DEVICES_PER_NODE_MAX
                            + " devices"));
        }
    }

    /** Name of the node with this number, from 0. */
    public static String name(int number) {
        return String.format("fake-%05d", number);
    }

    /** 64 cores, 512 GiB and {@code devices} accelerators, sixteen nodes to a rack. */
    public static NodeSpec spec(int number, int devices) {
        NodeSpec.Builder spec = NodeSpec.newBuilder()
                .setCpuModel("FAKE-CPU")
                .setSockets(1)
                .setMemoryBytes(MEMORY_BYTES)
                .setOs("none")
                .setHostname(name(number))
                .addDomains(Domain.newBuilder().setLevel("rack").setName("fake-rack-" + number / NODES_PER_RACK))
                .addNuma(NumaNode.newBuilder()
                        .addAllCoreIds(IntStream.range(0, CORES).boxed().toList())
                        .setMemoryBytes(MEMORY_BYTES));
        for (int ordinal = 0; ordinal < devices; ordinal++) {
            spec.addDevices(Device.newBuilder()
                    .setOrdinal(ordinal)
                    .setKind(DeviceKind.DEVICE_KIND_GPU)
                    .setVendor("FAKE")
                    .setModel("FAKE-GPU")
                    .setHardwareId(name(number) + "-" + ordinal)
                    .setMemoryBytes(DEVICE_MEMORY_BYTES)
                    .setHealth(DeviceHealth.DEVICE_HEALTH_HEALTHY));
        }
        return spec.build();
    }

    /** A keeper for tasks that cannot outlive the process anyway. */
    public static Keeper keeper() {
        return new Keeper() {
            @Override
            public boolean alive(long nowMillis) {
                return true;
            }

            @Override
            public void update(long deadlineMillis, List<GuardedTask> tasks) {}

            @Override
            public long lastDeadlineMillis() {
                return 0;
            }
        };
    }
}
