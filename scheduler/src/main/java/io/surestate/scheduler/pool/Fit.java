package io.surestate.scheduler.pool;

import java.util.Arrays;

/**
 * What exactly one task takes on one node: shares of cores, memory, shares of devices by their position in the row. Immutable. Of a node
 * with flat CPU only the sum of millicores is known, and {@link #coreCount} is 0.
 */
public final class Fit {
    private final long cpuMilli;
    private final int[] coreIds;
    private final int[] coreMilli;
    private final long memoryBytes;
    private final int[] devicePositions;
    private final int[] deviceMilli;

    Fit(CoreShares cores, long memoryBytes, int[] devicePositions, int[] deviceMilli) {
        this.cpuMilli = cores.cpuMilli();
        this.coreIds = cores.ids();
        this.coreMilli = cores.milli();
        this.memoryBytes = memoryBytes;
        this.devicePositions = devicePositions.clone();
        this.deviceMilli = deviceMilli.clone();
    }

    /** All cores together, in millicores. */
    public long cpuMilli() {
        return cpuMilli;
    }

    /** Cores named; ascending by id. */
    public int coreCount() {
        return coreIds.length;
    }

    public int coreId(int index) {
        return coreIds[index];
    }

    /** Thousandths of that core, 1-1000. */
    public int coreMilli(int index) {
        return coreMilli[index];
    }

    public long memoryBytes() {
        return memoryBytes;
    }

    /** Distinct devices; ascending by position. */
    public int deviceCount() {
        return devicePositions.length;
    }

    /** Where the device stands in the {@link NodeRow}; not its ordinal. */
    public int devicePosition(int index) {
        return devicePositions[index];
    }

    /** Thousandths of that device, 1-1000. */
    public int deviceMilli(int index) {
        return deviceMilli[index];
    }

    /** How the task counts among those that the node holds. */
    Demand demand() {
        return Demand.of(devicePositions.length, Arrays.stream(deviceMilli).sum());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Fit that
                && cpuMilli == that.cpuMilli
                && memoryBytes == that.memoryBytes
                && Arrays.equals(coreIds, that.coreIds)
                && Arrays.equals(coreMilli, that.coreMilli)
                && Arrays.equals(devicePositions, that.devicePositions)
                && Arrays.equals(deviceMilli, that.deviceMilli);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(cpuMilli) + Long.hashCode(memoryBytes)) + Arrays.hashCode(devicePositions);
    }

    @Override
    public String toString() {
        return cpuMilli + "m cpu on cores " + Arrays.toString(coreIds) + ", " + memoryBytes + " bytes, devices "
                + Arrays.toString(devicePositions) + " giving " + Arrays.toString(deviceMilli);
    }
}
