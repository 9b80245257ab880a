package io.surestate.server.node;

import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.Telemetry;

/** A figure of each node for Prometheus. Its only label is the node's name, of which there are at most as many as registered nodes. */
enum NodeGauge {
    LOAD("load_ratio", "Threads that run or want to, for each core") {
        @Override
        double of(Telemetry last, int strain) {
            return last.getLoadMilli() / MILLI;
        }
    },
    MEMORY("memory_used_bytes", "Memory in use") {
        @Override
        double of(Telemetry last, int strain) {
            return last.getMemoryUsedBytes();
        }
    },
    NETWORK("network_ratio", "Use of the busiest NIC") {
        @Override
        double of(Telemetry last, int strain) {
            return last.getNetworkMilli() / MILLI;
        }
    },
    TEMPERATURE("temperature_celsius", "Temperature of the hottest device or processor") {
        @Override
        double of(Telemetry last, int strain) {
            return last.getTemperatureCelsius();
        }
    },
    POWER("power_ratio", "Power of all devices as a part of their limit") {
        @Override
        double of(Telemetry last, int strain) {
            return last.getPowerMilli() / MILLI;
        }
    },
    DEVICE_USE("device_use_ratio", "Use of the devices, on average") {
        @Override
        double of(Telemetry last, int strain) {
            return last.getDevicesList().stream()
                            .mapToInt(DeviceTelemetry::getUseMilli)
                            .average()
                            .orElse(0)
                    / MILLI;
        }
    },
    DEVICE_MEMORY("device_memory_used_bytes", "Memory in use on all devices") {
        @Override
        double of(Telemetry last, int strain) {
            return last.getDevicesList().stream()
                    .mapToLong(DeviceTelemetry::getMemoryUsedBytes)
                    .sum();
        }
    },
    ECC("device_ecc_uncorrected", "Uncorrectable memory errors of all devices since their drivers were loaded") {
        @Override
        double of(Telemetry last, int strain) {
            return last.getDevicesList().stream()
                    .mapToLong(DeviceTelemetry::getEccUncorrected)
                    .sum();
        }
    },
    STRAIN("strain", "Signs that the node is hot or busy") {
        @Override
        double of(Telemetry last, int strain) {
            return strain;
        }
    };

    private static final double MILLI = 1_000;

    private final String metric;
    private final String description;

    NodeGauge(String name, String description) {
        this.metric = "surestate_node_" + name;
        this.description = description;
    }

    abstract double of(Telemetry last, int strain);

    void describe(StringBuilder text) {
        text.append("# HELP ").append(metric).append(' ').append(description).append("\n# TYPE ");
        text.append(metric).append(" gauge\n");
    }

    void write(StringBuilder text, String node, Telemetry last, int strain) {
        text.append(metric).append("{node=\"").append(node).append("\"} ");
        text.append(of(last, strain)).append('\n');
    }
}
