package io.surestate.scheduler.pool;

import io.surestate.api.Names;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * What one task asks for, compactly; tasks of equal shape are alike to every policy. Immutable; the hash is computed once, because shapes
 * are the keys of the placer's cache. Different asks of one shape are met by different devices.
 */
public final class Shape {
    private final long cpuMilli;
    private final long memoryBytes;
    private final List<DeviceAsk> devices;
    private final long deviceMilli;
    private final int deviceCount;
    private final int hash;

    /**
     * A shape by its amounts.
     *
     * @param cpuMilli millicores, at least 0: whole cores are owned alone, the fraction lies on one core
     * @param memoryBytes at least 0
     */
    public Shape(long cpuMilli, long memoryBytes, List<DeviceAsk> devices) {
        if (cpuMilli < 0) {
            throw new IllegalArgumentException(Names.message("cpuMilli", Long.toString(cpuMilli), "at least 0"));
        }
        if (memoryBytes < 0) {
            throw new IllegalArgumentException(Names.message("memoryBytes", Long.toString(memoryBytes), "at least 0"));
        }
        this.cpuMilli = cpuMilli;
        this.memoryBytes = memoryBytes;
        this.devices = List.copyOf(devices);
        this.deviceMilli = devices.stream().mapToLong(DeviceAsk::totalMilli).sum();
        this.deviceCount = devices.stream().mapToInt(DeviceAsk::count).sum();
        this.hash = 31 * (31 * Long.hashCode(cpuMilli) + Long.hashCode(memoryBytes)) + this.devices.hashCode();
    }

    /** The shape of a task of a job. */
    public static Shape of(Resources asked) {
        List<DeviceAsk> asks = new ArrayList<>(asked.getDevicesCount());
        for (DeviceRequest request : asked.getDevicesList()) {
            int milli = request.getShareMilli() == 0 ? DeviceAsk.WHOLE_MILLI : request.getShareMilli();
            List<String> models = request.getModel().isEmpty() ? List.of() : List.of(request.getModel());
            asks.add(new DeviceAsk(request.getKind(), models, request.getCount(), milli));
        }
        return new Shape(asked.getCpuMillicores(), asked.getMemoryBytes(), asks);
    }

    public long cpuMilli() {
        return cpuMilli;
    }

    public long memoryBytes() {
        return memoryBytes;
    }

    public List<DeviceAsk> devices() {
        return devices;
    }

    /** All devices asked, in thousandths. */
    public long deviceMilli() {
        return deviceMilli;
    }

    /** Distinct devices asked. */
    public int deviceCount() {
        return deviceCount;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Shape that
                        && hash == that.hash
                        && cpuMilli == that.cpuMilli
                        && memoryBytes == that.memoryBytes
                        && devices.equals(that.devices));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return cpuMilli + "m cpu, " + memoryBytes + " bytes, " + devices;
    }
}
