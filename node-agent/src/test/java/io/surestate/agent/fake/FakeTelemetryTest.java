package io.surestate.agent.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.agent.core.TelemetrySample;
import io.surestate.api.v1.DeviceTelemetry;
import org.junit.jupiter.api.Test;

class FakeTelemetryTest {
    @Test
    void readingsDifferOverTimeAndStayWithinWhatHardwareDoes() {
        TelemetrySample first = FakeTelemetry.of(3, 8, 1_000_000);
        assertThat(FakeTelemetry.of(3, 8, 1_000_999)).isEqualTo(first);
        TelemetrySample next = FakeTelemetry.of(3, 8, 1_001_000);
        assertThat(next.number()).isEqualTo(first.number() + 1);
        assertThat(next.telemetry()).isNotEqualTo(first.telemetry());
        assertThat(FakeTelemetry.of(4, 8, 1_000_000).telemetry()).isNotEqualTo(first.telemetry());
        for (int step = 0; step < 1_000; step++) {
            assertThat(FakeTelemetry.of(step, 8, step * 1_000L).telemetry().getDevicesList())
                    .hasSize(8)
                    .allMatch((DeviceTelemetry device) -> device.getUseMilli() >= 0
                            && device.getUseMilli() <= 1_000
                            && device.getTemperatureCelsius() <= 70);
        }
    }
}
