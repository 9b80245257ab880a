package io.surestate.agent.fake;

import io.surestate.agent.core.TelemetrySample;
import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.Telemetry;

/** How simulated nodes say that they are doing: each reading another, none of them a sign of strain. Holds no state. */
public final class FakeTelemetry {
    private static final long READING_MILLIS = 1_000;
    private static final int POWER_LIMIT_WATTS = 700;

    private FakeTelemetry() {}

    /** The newest of a node; the same for a second. */
    public static TelemetrySample of(int node, int devices, long nowMillis) {
        long number = 1 + nowMillis / READING_MILLIS;
        Telemetry.Builder reading = Telemetry.newBuilder()
                .setLoadMilli(figure(number, node, 0, 900))
                .setMemoryUsedBytes((long) figure(number, node, 1, 256) << 30)
                .setNetworkMilli(figure(number, node, 2, 600))
                .setTemperatureCelsius(70)
                .setPowerMilli(devices == 0 ? 0 : 500);
        for (int ordinal = 0; ordinal < devices; ordinal++) {
            reading.addDevices(DeviceTelemetry.newBuilder()
                    .setOrdinal(ordinal)
                    .setUseMilli(figure(number, node, 3 + ordinal, 1_000))
                    .setMemoryUsedBytes((long) figure(number, node, 4 + ordinal, 80) << 30)
                    .setTemperatureCelsius(40 + figure(number, node, 5 + ordinal, 30))
                    .setPowerWatts(figure(number, node, 6 + ordinal, POWER_LIMIT_WATTS))
                    .setPowerLimitWatts(POWER_LIMIT_WATTS)
                    .setClockMhz(1_980));
        }
        return new TelemetrySample(number, reading.build());
    }

    /** 0 to {@code most}, neighbouring ones unlike each other. */
    private static int figure(long number, int node, int what, int most) {
        long mixed = (number * 31 + node) * 0x9E37_79B9_7F4A_7C15L + what * 0xC2B2_AE3D_27D4_EB4FL;
        return (int) Long.remainderUnsigned(mixed ^ (mixed >>> 29), most + 1L);
    }
}
