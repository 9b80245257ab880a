package io.surestate.manifest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConfigFileTest {
    record Peer(String id, int port) {}

    record Sample(
            String name,
            @Nullable Duration lease,
            @Nullable List<Peer> peers,
            @Nullable Path dataDir) {
        Sample {
            if (name == null) {
                throw new IllegalArgumentException(Names.message("name", "", "a name"));
            }
        }
    }

    private static Sample parse(String yaml) {
        return ConfigFile.parse("test.yaml", yaml, Sample.class);
    }

    @Test
    void readsNestedRecordsAndDurations() {
        Sample sample = parse("name: a\nlease: 1m30s\ndataDir: /x/y\npeers:\n  - {id: s1, port: 7}\n");
        assertThat(sample)
                .isEqualTo(new Sample("a", Duration.ofSeconds(90), List.of(new Peer("s1", 7)), Path.of("/x/y")));
    }

    @Test
    void whatItWritesItReadsBack() {
        Sample sample = new Sample("a", Duration.ofMillis(1500), List.of(new Peer("s1", 7)), Path.of("/x"));
        assertThat(parse(ConfigFile.write(sample))).isEqualTo(sample);
    }

    @Test
    void anUnknownKeyNamesTheLineAndTheNearestKey() {
        assertThatThrownBy(() -> parse("name: a\npeers:\n  - {id: s1, prot: 7}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("test.yaml:3: prot: unknown key (did you mean port?)");
    }

    @Test
    void aDuplicateKeyIsRefused() {
        assertThatThrownBy(() -> parse("name: a\nname: b\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("test.yaml:2: ")
                .hasMessageContaining("Duplicate");
    }

    @Test
    void badSyntaxIsNamedWithWhatWasMet() {
        assertThatThrownBy(() -> parse("name: a\n\tlease: 2s\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("test.yaml:2: ")
                .hasMessageContaining("found character '\\t(TAB)' that cannot start any token");
    }

    @Test
    void aCheckInTheRecordIsShownAsItIs() {
        assertThatThrownBy(() -> parse("lease: 2s\n")).hasMessage("test.yaml: name: empty (expected: a name)");
    }

    @Test
    void aBadDurationNamesItsKey() {
        assertThatThrownBy(() -> parse("name: a\nlease: 2 parsecs\n"))
                .hasMessageContaining("lease")
                .hasMessageContaining("2 parsecs")
                .hasMessageContaining("expected: a duration");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> ConfigFile.read(Path.of("no/such.yaml"), Sample.class))
                .hasMessage("no/such.yaml: no such file (expected: a YAML configuration file)");
    }
}
