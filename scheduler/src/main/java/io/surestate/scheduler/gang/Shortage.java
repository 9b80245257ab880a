package io.surestate.scheduler.gang;

import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What one node lacks to take one task: millicores, bytes and devices, each 0 if enough. */
record Shortage(String node, long cpuMilli, long memoryBytes, long devices) implements Comparable<Shortage> {
    private static final long MEBIBYTE = 1 << 20;
    private static final Comparator<Shortage> NEAREST = Comparator.comparingInt(Shortage::kinds)
            .thenComparingLong(Shortage::devices)
            .thenComparingLong(Shortage::cpuMilli)
            .thenComparingLong(Shortage::memoryBytes);

    static Shortage of(NodeRow row, Shape shape) {
        long memory = Math.max(0, shape.memoryBytes() - row.memoryFreeBytes());
        long cpu = Math.max(0, shape.cpuMilli() - row.cpuFreeMilli());
        if (cpu == 0 && memory == 0 && !row.fitsCpuAndMemory(shape)) {
            // Enough in all, but in pieces: one more whole core holds any piece.
            cpu = DeviceAsk.WHOLE_MILLI;
        }
        long devices = 0;
        for (DeviceAsk ask : shape.devices()) {
            devices += Math.max(0, ask.count() - usable(row, ask));
        }
        return new Shortage(row.name(), cpu, memory, devices);
    }

    private static long usable(NodeRow row, DeviceAsk ask) {
        long usable = 0;
        for (int position = 0; position < row.deviceCount(); position++) {
            boolean serves = ask.accepts(row.deviceClass(position)) && row.deviceFreeMilli(position) >= ask.milli();
            usable += serves ? 1 : 0;
        }
        return usable;
    }

    /** Nearest to fitting first: fewest kinds missing, then devices, cores, memory. */
    @Override
    public int compareTo(Shortage other) {
        return NEAREST.compare(this, other);
    }

    private int kinds() {
        return (cpuMilli > 0 ? 1 : 0) + (memoryBytes > 0 ? 1 : 0) + (devices > 0 ? 1 : 0);
    }

    /** For people: {@code 500m cpu and 128Mi memory}. */
    String describe() {
        List<String> parts = new ArrayList<>();
        if (cpuMilli > 0) {
            parts.add(cpuMilli + "m cpu");
        }
        if (memoryBytes > 0) {
            parts.add((memoryBytes + MEBIBYTE - 1) / MEBIBYTE + "Mi memory");
        }
        if (devices > 0) {
            parts.add(devices + (devices == 1 ? " device" : " devices"));
        }
        return parts.isEmpty() ? "what the tasks before it take" : String.join(" and ", parts);
    }
}
