package io.surestate.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
    @ParameterizedTest
    @CsvSource({
        "-5,0s",
        "999,0s",
        "59999,59s",
        "60000,1m",
        "200000,3m20s",
        "7500000,2h5m",
        "86400000,1d",
        "356400000,4d3h"
    })
    void writesTheTwoLargestUnits(long millis, String text) {
        assertThat(Ages.length(millis)).isEqualTo(text);
    }
}
