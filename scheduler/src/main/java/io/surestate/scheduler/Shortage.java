package io.surestate.scheduler;

import java.util.ArrayList;
import java.util.List;

/** What one node lacks to take one task: millicores, bytes and devices, each 0 if enough. */
record Shortage(String node, long cpuMillicores, long memoryBytes, long devices) implements Comparable<Shortage> {
    private static final long MEBIBYTE = 1 << 20;

    /** Nearest to fitting first: fewest kinds missing, then devices, cores, memory. */
    @Override
    public int compareTo(Shortage other) {
        int byKinds = Integer.compare(kinds(), other.kinds());
        if (byKinds != 0) {
            return byKinds;
        }
        int byDevices = Long.compare(devices, other.devices);
        if (byDevices != 0) {
            return byDevices;
        }
        int byCpu = Long.compare(cpuMillicores, other.cpuMillicores);
        return byCpu != 0 ? byCpu : Long.compare(memoryBytes, other.memoryBytes);
    }

    private int kinds() {
        return (cpuMillicores > 0 ? 1 : 0) + (memoryBytes > 0 ? 1 : 0) + (devices > 0 ? 1 : 0);
    }

    /** For people: {@code 500m cpu and 128 MiB memory}. */
    String describe() {
        List<String> parts = new ArrayList<>();
        if (cpuMillicores > 0) {
            parts.add(cpuMillicores + "m cpu");
        }
        if (memoryBytes > 0) {
            parts.add((memoryBytes + MEBIBYTE - 1) / MEBIBYTE + "Mi memory");
        }
        if (devices > 0) {
            parts.add(devices + (devices == 1 ? " device" : " devices"));
        }
        return String.join(" and ", parts);
    }
}
