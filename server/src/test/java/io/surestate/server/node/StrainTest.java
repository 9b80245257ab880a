package io.surestate.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Telemetry;
import org.junit.jupiter.api.Test;

class StrainTest {
    private static Telemetry celsius(int degrees) {
        return Telemetry.newBuilder().setTemperatureCelsius(degrees).build();
    }

    @Test
    void aSignAppearsAboveOneBoundAndGoesAwayBelowALowerOne() {
        Strain warm = Strain.NONE.after(celsius(84));
        assertThat(warm.level()).isZero();
        Strain hot = warm.after(celsius(85));
        assertThat(hot.signs()).containsExactly(Strain.Sign.TEMPERATURE);
        assertThat(hot.after(celsius(79)).level()).isEqualTo(1);
        assertThat(hot.after(celsius(77)).level()).isZero();
        assertThat(hot.after(celsius(77)).after(celsius(84)).level()).isZero();
    }

    @Test
    void unknownIsNoStrainAndSignsAddUp() {
        assertThat(Strain.NONE.after(Telemetry.getDefaultInstance()).level()).isZero();
        Telemetry bad = Telemetry.newBuilder()
                .setLoadMilli(4_000)
                .setNetworkMilli(1_000)
                .setPowerMilli(990)
                .build();
        assertThat(Strain.NONE.after(bad).level()).isEqualTo(3);
    }
}
