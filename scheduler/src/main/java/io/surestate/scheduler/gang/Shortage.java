package io.surestate.scheduler.gang;

import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one node lacks to take one task more: millicores, bytes and devices, each 0 if enough.
 *
 * @param goods network, storage or countables that are missing, in words
 */
record Shortage(String node, long cpuMilli, long memoryBytes, long devices, List<String> goods)
        implements Comparable<Shortage> {
    private static final long MEBIBYTE = 1 << 20;
    private static final Comparator<Shortage> NEAREST = Comparator.comparingInt(Shortage::kinds)
            .thenComparingLong(Shortage::devices)
            .thenComparingLong(Shortage::cpuMilli)
            .thenComparingLong(Shortage::memoryBytes);

    /** For one task more than have room there. */
    static Shortage ofNext(NodeRow row, Shape shape) {
        long tasks = RoomCount.on(row, shape) + 1L;
        long memory = Math.max(0, tasks * shape.memoryBytes() - row.memoryFreeBytes());
        long cpu = Math.max(0, tasks * shape.cpuMilli() - row.cpuFreeMilli());
        List<String> goods = row.missingGoods(shape, tasks);
        if (cpu == 0 && memory == 0 && goods.isEmpty() && !row.fitsBesideDevices(shape)) {
            // Enough in all, but in pieces: one more whole core holds any piece.
            cpu = DeviceAsk.WHOLE_MILLI;
        }
        long devices = 0;
        for (DeviceAsk ask : shape.devices()) {
            devices += Math.max(0, tasks * ask.count() - RoomCount.pieces(row, ask));
        }
        return new Shortage(row.name(), cpu, memory, devices, goods);
    }

    /** Nearest to fitting first: fewest kinds missing, then devices, cores, memory. */
    @Override
    public int compareTo(Shortage other) {
        return NEAREST.compare(this, other);
    }

    private int kinds() {
        return (cpuMilli > 0 ? 1 : 0) + (memoryBytes > 0 ? 1 : 0) + (devices > 0 ? 1 : 0) + goods.size();
    }

    static String mebibytes(long bytes) {
        return (bytes + MEBIBYTE - 1) / MEBIBYTE + "Mi";
    }

    /** For people: {@code 500m cpu and 128Mi memory}. */
    String describe() {
        List<String> parts = new ArrayList<>();
        if (cpuMilli > 0) {
            parts.add(cpuMilli + "m cpu");
        }
        if (memoryBytes > 0) {
            parts.add(mebibytes(memoryBytes) + " memory");
        }
        if (devices > 0) {
            parts.add(devices + (devices == 1 ? " device" : " devices"));
        }
        parts.addAll(goods);
        if (parts.isEmpty()) {
            parts.add("cores and devices of one NUMA place");
        }
        return String.join(" and ", parts);
    }
}
