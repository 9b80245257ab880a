package io.surestate.agent.telemetry;

import io.surestate.agent.core.TelemetrySample;
import io.surestate.agent.telemetry.Counters.Traffic;
import io.surestate.api.v1.DeviceTelemetry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.nativefree.SystemInfo;

/** This machine as OSHI sees it. {@link #look} may be slow and belongs to one thread; {@link #newest} is for any. */
public final class MachineTelemetry {
    private final HardwareAbstractionLayer hardware = new SystemInfo().getHardware();
    private final List<NetworkIF> nics = hardware.getNetworkIFs();
    private final LongSupplier nanos;
    private Optional<Counters> before = Optional.empty();
    private final Supplier<List<DeviceTelemetry>> devices;
    private volatile @Nullable TelemetrySample newest;
    private long samples;

    /**
     * @param nanos a clock that only goes forward
     * @param devices how they are doing, ascending by ordinal
     */
    public MachineTelemetry(LongSupplier nanos, Supplier<List<DeviceTelemetry>> devices) {
        this.nanos = nanos;
        this.devices = devices;
    }

    /** Reads everything anew. */
    public void look() {
        Counters now = counters();
        newest = new TelemetrySample(++samples, Readings.of(before, now, devices.get()));
        before = Optional.of(now);
    }

    /** The last reading; empty = there was none yet. */
    public Optional<TelemetrySample> newest() {
        return Optional.ofNullable(newest);
    }

    private Counters counters() {
        Map<String, Traffic> traffic = new TreeMap<>();
        for (NetworkIF nic : nics) {
            if (nic.updateAttributes()) {
                traffic.put(nic.getName(), new Traffic(nic.getBytesRecv(), nic.getBytesSent(), nic.getSpeed()));
            }
        }
        return new Counters(
                nanos.getAsLong(),
                Math.max(1, hardware.getProcessor().getLogicalProcessorCount()),
                hardware.getProcessor().getSystemLoadAverage(1)[0],
                hardware.getMemory().getTotal() - hardware.getMemory().getAvailable(),
                hardware.getSensors().getCpuTemperature(),
                traffic);
    }
}
