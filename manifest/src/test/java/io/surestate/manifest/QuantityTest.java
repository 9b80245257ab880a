package io.surestate.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({"500m,500", "2,2000", "0.5,500", "1.25,1250", "0,0", "1024,1024000"})
    void readsCores(String text, long millicores) {
        assertThat(Quantity.cpuMillicores("cpu", text)).isEqualTo(millicores);
    }

    @ParameterizedTest
    @CsvSource({
        "256Gi,274877906944",
        "1.5Gi,1610612736",
        "128Mi,134217728",
        "10G,10000000000",
        "7,7",
        "100TB,100000000000000"
    })
    void readsBytes(String text, long bytes) {
        assertThat(Quantity.bytes("memory", text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"2s,2000", "500ms,500", "1h30m,5400000", "1.5s,1500", "7d,604800000"})
    void readsDurations(String text, long millis) {
        assertThat(Quantity.durationMillis("backoff", text)).isEqualTo(millis);
    }

    @Test
    void readsBitRates() {
        assertThat(Quantity.bitsPerSecond("network", "400Gbps")).isEqualTo(400_000_000_000L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "-1", "NaN", "1e3", "0.0005", "5x", "1 Gi", "9223372036854775808", "+1", "1.", ".5", "٣"
            })
    void rejectsCoresThatAreNotExactAmounts(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.cpuMillicores("cpu", text))
                .withMessageStartingWith("cpu: ")
                .withMessageContaining("(expected: cores");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807Gi", "0.3", "-5Mi", "5mi"})
    void rejectsBytesThatOverflowOrAreNotWhole(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantity.bytes("memory", text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "s", "2 s", "-2s", "1h 3m", "999999999999d"})
    void rejectsDurationsWithoutUnitOrOutOfRange(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantity.durationMillis("backoff", text));
    }

    @Property(tries = 500)
    void whatIsWrittenReadsBackExactly(@ForAll @LongRange(min = 0, max = 1L << 52) long amount) {
        assertThat(Quantity.bytes("b", Quantity.formatBytes(amount))).isEqualTo(amount);
        assertThat(Quantity.cpuMillicores("c", Quantity.formatMilli(amount))).isEqualTo(amount);
        assertThat(Quantity.bitsPerSecond("r", Quantity.formatBitsPerSecond(amount)))
                .isEqualTo(amount);
        assertThat(Quantity.durationMillis("d", Quantity.formatDuration(amount)))
                .isEqualTo(amount);
    }
}
