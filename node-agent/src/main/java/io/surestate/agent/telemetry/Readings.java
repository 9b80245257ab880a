package io.surestate.agent.telemetry;

import io.surestate.agent.telemetry.Counters.Traffic;
import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.Telemetry;
import java.util.List;
import java.util.Optional;

/** Makes telemetry of what the machine says of itself now and said before. Pure. */
final class Readings {
    private static final int WHOLE_MILLI = 1_000;
    private static final double LOAD_MILLI_MAX = 1_000_000;
    private static final double CELSIUS_MAX = 1_000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int BITS_PER_BYTE = 8;

    private Readings() {}

    static Telemetry of(Optional<Counters> before, Counters now, List<DeviceTelemetry> devices) {
        return Telemetry.newBuilder()
                .setLoadMilli((int) bounded(WHOLE_MILLI * now.load() / now.cores(), LOAD_MILLI_MAX))
                .setMemoryUsedBytes(Math.max(0, now.memoryUsedBytes()))
                .setNetworkMilli(before.map(then -> network(then, now)).orElse(0))
                .setTemperatureCelsius(Math.max(
                        (int) bounded(now.celsius(), CELSIUS_MAX),
                        devices.stream()
                                .mapToInt(DeviceTelemetry::getTemperatureCelsius)
                                .max()
                                .orElse(0)))
                .setPowerMilli(power(devices))
                .addAllDevices(devices)
                .build();
    }

    /** Of the devices that tell both, together. */
    private static int power(List<DeviceTelemetry> devices) {
        long drawn = 0;
        long limit = 0;
        for (DeviceTelemetry device : devices) {
            if (device.getPowerLimitWatts() > 0) {
                drawn += device.getPowerWatts();
                limit += device.getPowerLimitWatts();
            }
        }
        return limit == 0 ? 0 : (int) bounded(WHOLE_MILLI * (double) drawn / limit, LOAD_MILLI_MAX);
    }

    /** Of the busiest NIC, in its busier direction. */
    private static int network(Counters before, Counters now) {
        double seconds = (now.nanos() - before.nanos()) / NANOS_PER_SECOND;
        return now.nics().entrySet().stream()
                .filter(nic -> before.nics().containsKey(nic.getKey()))
                .mapToInt(nic -> use(before.nics().getOrDefault(nic.getKey(), nic.getValue()), nic.getValue(), seconds))
                .max()
                .orElse(0);
    }

    private static int use(Traffic before, Traffic now, double seconds) {
        long bytes = Math.max(now.received() - before.received(), now.sent() - before.sent());
        double speed = now.bitsPerSecond() * seconds;
        return speed <= 0 ? 0 : (int) bounded(WHOLE_MILLI * (double) BITS_PER_BYTE * bytes / speed, WHOLE_MILLI);
    }

    private static double bounded(double value, double most) {
        return Double.isNaN(value) ? 0 : Math.max(0, Math.min(most, value));
    }
}
