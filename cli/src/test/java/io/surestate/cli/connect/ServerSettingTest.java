package io.surestate.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.cli.CliException;
import io.surestate.client.Endpoint;
import io.surestate.manifest.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerSettingTest {
    @TempDir
    private Path home = Path.of("");

    private void configure(Path folder, String text) throws IOException {
        Files.createDirectories(folder.resolve("surestate"));
        Files.writeString(folder.resolve("surestate").resolve("config.yaml"), text);
    }

    private String chosen(Map<String, String> environment, String option) {
        return new ServerSetting(environment, home)
                .servers(option).stream()
                        .map(Endpoint::toString)
                        .reduce((a, b) -> a + "," + b)
                        .orElse("");
    }

    @Test
    void takesTheOptionBeforeTheEnvironmentBeforeTheFileBeforeThisMachine() throws IOException {
        Map<String, String> environment = Map.of("SSCTL_SERVER", "b:2");

        assertThat(chosen(Map.of(), "")).isEqualTo("127.0.0.1:7300");
        configure(home.resolve(".config"), "server: c:3,d:4\n");
        assertThat(chosen(Map.of(), "")).isEqualTo("c:3,d:4");
        assertThat(chosen(environment, "")).isEqualTo("b:2");
        assertThat(chosen(environment, "a:1")).isEqualTo("a:1");
    }

    @Test
    void looksWhereTheSystemKeepsConfiguration(@TempDir Path elsewhere) throws IOException {
        configure(elsewhere, "server: e:5\n");

        assertThat(chosen(Map.of("XDG_CONFIG_HOME", elsewhere.toString()), "")).isEqualTo("e:5");
    }

    @Test
    void refusesWhatItDoesNotUnderstand() throws IOException {
        configure(home.resolve(".config"), "sever: c:3\n");

        assertThatThrownBy(() -> chosen(Map.of(), ""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean server?");
        assertThatThrownBy(() -> chosen(Map.of("SSCTL_SERVER", "x"), ""))
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith("USAGE: SSCTL_SERVER: ");
    }
}
