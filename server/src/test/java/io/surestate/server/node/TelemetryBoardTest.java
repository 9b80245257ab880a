package io.surestate.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.NodeTelemetry;
import io.surestate.api.v1.Telemetry;
import org.junit.jupiter.api.Test;

class TelemetryBoardTest {
    private static final long SECOND = 1_000_000_000L;

    private long now = 1_000 * SECOND;
    private final TelemetryBoard board = new TelemetryBoard(() -> now);

    private static Telemetry reading(int load, int... uses) {
        Telemetry.Builder reading = Telemetry.newBuilder().setLoadMilli(load);
        for (int i = 0; i < uses.length; i++) {
            reading.addDevices(DeviceTelemetry.newBuilder()
                    .setOrdinal(2 * i)
                    .setUseMilli(uses[i])
                    .setEccCorrected(7));
        }
        return reading.build();
    }

    private NodeTelemetry told() {
        return board.told("n").orElseThrow();
    }

    @Test
    void tellsTheLastTheMeanAndTheGreatestOfTheLastMinute() {
        for (int load = 100; load <= 500; load += 100) {
            board.heard("n", reading(load, load, 0));
            now += 5 * SECOND;
        }
        assertThat(told().getLast()).isEqualTo(reading(500, 500, 0));
        assertThat(told().getMean().getLoadMilli()).isEqualTo(300);
        assertThat(told().getMax().getLoadMilli()).isEqualTo(500);
        assertThat(told().getMax().getDevices(0).getUseMilli()).isEqualTo(500);
        assertThat(told().getMax().getDevices(1).getOrdinal()).isEqualTo(2);
        assertThat(told().getAgeMillis()).isEqualTo(5_000);
    }

    @Test
    void whatIsOlderThanAMinuteIsForgotten() {
        board.heard("n", reading(900));
        now += 61 * SECOND;
        board.heard("n", reading(100));
        assertThat(told().getMean().getLoadMilli()).isEqualTo(100);
        assertThat(told().getMax().getLoadMilli()).isEqualTo(100);
        now += 61 * SECOND;
        assertThat(told().getMax().getLoadMilli()).isZero();
        assertThat(told().getLast().getLoadMilli()).isEqualTo(100);
    }

    @Test
    void otherDevicesBeginANewWindow() {
        board.heard("n", reading(900, 900));
        board.heard("n", reading(100, 100, 300));
        assertThat(told().getMean()).isEqualTo(told().getMax());
        assertThat(told().getMean().getDevicesCount()).isEqualTo(2);
    }

    @Test
    void aDecisionKeepsTheNodeButNotItsDevices() {
        board.heard("n", reading(700, 1, 2));
        assertThat(board.of("n")).isEqualTo(reading(700));
        assertThat(board.of("unknown")).isEqualTo(Telemetry.getDefaultInstance());
    }

    @Test
    void aHotDeviceIsStrain() {
        board.heard("n", Telemetry.newBuilder().setTemperatureCelsius(90).build());
        assertThat(board.strain("n")).isEqualTo(1);
        assertThat(told().getStrain()).isEqualTo(1);
    }

    @Test
    void pagesGoByName() {
        for (int i = 0; i < 5; i++) {
            board.heard("n" + i, reading(i));
        }
        assertThat(board.after("", 2)).extracting(NodeTelemetry::getNode).containsExactly("n0", "n1");
        assertThat(board.after("n1", 9)).extracting(NodeTelemetry::getNode).containsExactly("n2", "n3", "n4");
        board.forget("n3");
        assertThat(board.after("n2", 9)).extracting(NodeTelemetry::getNode).containsExactly("n4");
    }

    @Test
    void gaugesHaveOneLineANode() {
        assertThat(board.gauges()).isEmpty();
        board.heard("a", reading(700, 500, 100));
        board.heard("b", reading(100));
        assertThat(board.gauges().lines())
                .contains(
                        "# TYPE surestate_node_load_ratio gauge",
                        "surestate_node_load_ratio{node=\"a\"} 0.7",
                        "surestate_node_load_ratio{node=\"b\"} 0.1",
                        "surestate_node_device_use_ratio{node=\"a\"} 0.3");
    }
}
