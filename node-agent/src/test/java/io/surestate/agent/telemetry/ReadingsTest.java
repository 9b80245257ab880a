package io.surestate.agent.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.agent.telemetry.Counters.Traffic;
import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.Telemetry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadingsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long GIGABIT = 1_000_000_000L;

    private static Counters counters(long nanos, double load, double celsius, Map<String, Traffic> nics) {
        return new Counters(nanos, 4, load, 5_000, celsius, nics);
    }

    @Test
    void loadIsPerCoreAndWhatIsUnknownIsNothing() {
        Telemetry known = Readings.of(Optional.empty(), counters(0, 6, 71.6, Map.of()), List.of());
        assertThat(known.getLoadMilli()).isEqualTo(1_500);
        assertThat(known.getTemperatureCelsius()).isEqualTo(71);
        assertThat(known.getMemoryUsedBytes()).isEqualTo(5_000);
        Telemetry unknown = Readings.of(Optional.empty(), counters(0, -1, Double.NaN, Map.of()), List.of());
        assertThat(unknown.getLoadMilli()).isZero();
        assertThat(unknown.getTemperatureCelsius()).isZero();
    }

    @Test
    void theBusiestNicInItsBusierDirectionCounts() {
        Counters before =
                counters(0, 0, 0, Map.of("eth0", new Traffic(0, 0, GIGABIT), "eth1", new Traffic(0, 0, GIGABIT)));
        Counters now = counters(
                2 * SECOND,
                0,
                0,
                Map.of(
                        "eth0", new Traffic(10, 225_000_000, GIGABIT),
                        "eth1", new Traffic(1_000, 0, GIGABIT),
                        "new", new Traffic(Long.MAX_VALUE, 0, GIGABIT)));
        assertThat(Readings.of(Optional.of(before), now, List.of()).getNetworkMilli())
                .isEqualTo(900);
    }

    @Test
    void aCounterThatWentBackAndANicWithoutASpeedSayNothing() {
        Counters before = counters(0, 0, 0, Map.of("eth0", new Traffic(900, 900, GIGABIT), "lo", new Traffic(0, 0, 0)));
        Counters now = counters(
                SECOND, 0, 0, Map.of("eth0", new Traffic(1, 1, GIGABIT), "lo", new Traffic(900_000, 900_000, 0)));
        assertThat(Readings.of(Optional.of(before), now, List.of()).getNetworkMilli())
                .isZero();
    }

    @Test
    void theHottestDeviceAndThePowerOfAllTogetherCount() {
        Telemetry reading = Readings.of(
                Optional.empty(),
                counters(0, 0, 60, Map.of()),
                List.of(
                        DeviceTelemetry.newBuilder()
                                .setTemperatureCelsius(84)
                                .setPowerWatts(700)
                                .setPowerLimitWatts(700)
                                .build(),
                        DeviceTelemetry.newBuilder()
                                .setOrdinal(1)
                                .setTemperatureCelsius(50)
                                .setPowerWatts(350)
                                .setPowerLimitWatts(700)
                                .build(),
                        DeviceTelemetry.newBuilder()
                                .setOrdinal(2)
                                .setPowerWatts(900)
                                .build()));
        assertThat(reading.getTemperatureCelsius()).isEqualTo(84);
        assertThat(reading.getPowerMilli()).isEqualTo(750);
        assertThat(reading.getDevicesCount()).isEqualTo(3);
    }

    @Test
    void thisMachineCanBeRead() {
        MachineTelemetry machine = new MachineTelemetry(System::nanoTime, List::of);
        assertThat(machine.newest()).isEmpty();
        machine.look();
        assertThat(machine.newest())
                .hasValueSatisfying(read ->
                        assertThat(read.telemetry().getMemoryUsedBytes()).isPositive());
    }
}
