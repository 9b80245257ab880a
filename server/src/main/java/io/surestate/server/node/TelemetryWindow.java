package io.surestate.server.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.Telemetry;
import java.util.Arrays;

/**
 * Readings of one node over the last minute: sums, counts and greatest values in a few slots of time, so that nothing is kept of each
 * reading and nothing allocated for it. Made anew when the node has other devices. One thread at a time.
 */
final class TelemetryWindow {
    static final int SLOTS = 3;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SLOT_NANOS = Limits.TELEMETRY_WINDOW_MILLIS * NANOS_PER_MILLI / SLOTS;
    private static final int NODE_FIGURES = 5;
    private static final int DEVICE_FIGURES = 6;

    private final int[] ordinals;
    private final int figures;
    private final long[] sums;
    private final long[] greatest;
    private final int[] counts = new int[SLOTS];
    /** Which stretch of time a slot is of; a slot of an older one is empty. */
    private final long[] stretches = new long[SLOTS];

    private final long[] now;

    TelemetryWindow(Telemetry first) {
        ordinals = new int[first.getDevicesCount()];
        for (int i = 0; i < ordinals.length; i++) {
            ordinals[i] = first.getDevices(i).getOrdinal();
        }
        figures = NODE_FIGURES + DEVICE_FIGURES * ordinals.length;
        sums = new long[SLOTS * figures];
        greatest = new long[SLOTS * figures];
        now = new long[figures];
        Arrays.fill(stretches, Long.MIN_VALUE);
    }

    /** Whether it can take readings of these devices. */
    boolean fits(Telemetry reading) {
        if (reading.getDevicesCount() != ordinals.length) {
            return false;
        }
        for (int i = 0; i < ordinals.length; i++) {
            if (reading.getDevices(i).getOrdinal() != ordinals[i]) {
                return false;
            }
        }
        return true;
    }

    void add(Telemetry reading, long nanos) {
        long stretch = Math.floorDiv(nanos, SLOT_NANOS);
        int slot = (int) Math.floorMod(stretch, (long) SLOTS);
        if (stretches[slot] != stretch) {
            stretches[slot] = stretch;
            counts[slot] = 0;
            Arrays.fill(sums, slot * figures, (slot + 1) * figures, 0);
            Arrays.fill(greatest, slot * figures, (slot + 1) * figures, 0);
        }
        read(reading);
        counts[slot]++;
        for (int i = 0; i < figures; i++) {
            sums[slot * figures + i] += now[i];
            greatest[slot * figures + i] = Math.max(greatest[slot * figures + i], now[i]);
        }
    }

    private void read(Telemetry reading) {
        now[0] = reading.getLoadMilli();
        now[1] = reading.getMemoryUsedBytes();
        now[2] = reading.getNetworkMilli();
        now[3] = reading.getTemperatureCelsius();
        now[4] = reading.getPowerMilli();
        for (int i = 0; i < ordinals.length; i++) {
            DeviceTelemetry device = reading.getDevices(i);
            int at = NODE_FIGURES + DEVICE_FIGURES * i;
            now[at] = device.getUseMilli();
            now[at + 1] = device.getMemoryUsedBytes();
            now[at + 2] = device.getTemperatureCelsius();
            now[at + 3] = device.getPowerWatts();
            now[at + 4] = device.getClockMhz();
            now[at + 5] = device.getLinkBitsPerSecond();
        }
    }

    Telemetry mean(long nanos) {
        long[] mean = new long[figures];
        long count = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (recent(slot, nanos)) {
                count += counts[slot];
                for (int i = 0; i < figures; i++) {
                    mean[i] += sums[slot * figures + i];
                }
            }
        }
        for (int i = 0; i < figures; i++) {
            mean[i] = count == 0 ? 0 : mean[i] / count;
        }
        return written(mean);
    }

    Telemetry max(long nanos) {
        long[] max = new long[figures];
        for (int slot = 0; slot < SLOTS; slot++) {
            if (recent(slot, nanos)) {
                for (int i = 0; i < figures; i++) {
                    max[i] = Math.max(max[i], greatest[slot * figures + i]);
                }
            }
        }
        return written(max);
    }

    private boolean recent(int slot, long nanos) {
        return stretches[slot] > Math.floorDiv(nanos, SLOT_NANOS) - SLOTS;
    }

    private Telemetry written(long[] values) {
        Telemetry.Builder telemetry = Telemetry.newBuilder()
                .setLoadMilli((int) values[0])
                .setMemoryUsedBytes(values[1])
                .setNetworkMilli((int) values[2])
                .setTemperatureCelsius((int) values[3])
                .setPowerMilli((int) values[4]);
        for (int i = 0; i < ordinals.length; i++) {
            int at = NODE_FIGURES + DEVICE_FIGURES * i;
            telemetry
                    .addDevicesBuilder()
                    .setOrdinal(ordinals[i])
                    .setUseMilli((int) values[at])
                    .setMemoryUsedBytes(values[at + 1])
                    .setTemperatureCelsius((int) values[at + 2])
                    .setPowerWatts((int) values[at + 3])
                    .setClockMhz((int) values[at + 4])
                    .setLinkBitsPerSecond(values[at + 5]);
        }
        return telemetry.build();
    }
}
