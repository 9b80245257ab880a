package io.surestate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.manifest.config.ConfigException;
import io.surestate.manifest.config.ConfigFile;
import io.surestate.server.ServerConfig.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {
    private static final String WHOLE = """
            clusterId: c1
            serverId: s1
            servers:
              - {id: s1, peer: "127.0.0.1:7301", client: "127.0.0.1:7300"}
            dataDir: /var/lib/surestate
            initialized: true
            http: 127.0.0.1:9999
            electionTimeout: 2s
            lease: 30s
            leaseMargin: 3s
            heartbeat: 500ms
            keepRoomAfter: 10m
            holdDown: 2h
            snapshotEveryEntries: 500
            """;

    @TempDir
    private Path folder;

    static ServerConfig config(String cluster, String server, Path dataDir, boolean initialized) {
        return new ServerConfig(
                cluster,
                server,
                List.of(new ServerAddress(server, "127.0.0.1:7301", "127.0.0.1:7300")),
                dataDir,
                initialized,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                0,
                null);
    }

    private ServerConfig read(String yaml) throws IOException {
        Path file = folder.resolve("surestated.yaml");
        Files.writeString(file, yaml);
        return ConfigFile.read(file, ServerConfig.class);
    }

    @Test
    void everyKeyIsRead() throws IOException {
        ServerConfig config = read(WHOLE);
        assertThat(config.clusterId()).isEqualTo("c1");
        assertThat(config.self().peer()).isEqualTo("127.0.0.1:7301");
        assertThat(config.initialized()).isTrue();
        assertThat(config.http()).isEqualTo("127.0.0.1:9999");
        assertThat(config.electionTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.lease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.leaseMargin()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.heartbeat()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.snapshotEveryEntries()).isEqualTo(500);
    }

    @Test
    void defaultsAreThoseOfTheDesign() {
        ServerConfig config = config("c1", "s1", Path.of("/d"), false);
        assertThat(config.lease()).isEqualTo(Duration.ofSeconds(20));
        assertThat(config.leaseMargin()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.heartbeat()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.electionTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.http()).isEqualTo("127.0.0.1:7302");
        assertThat(config.snapshotEveryEntries()).isEqualTo(100_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "clusterId: c1|clusterId: C_1|clusterId",
                "clusterId: c1||clusterId",
                "serverId: s1|serverId: s9|serverId",
                "serverId: s1|serverId: ..|serverId",
                "dataDir: /var/lib/surestate||dataDir",
                "127.0.0.1:7301|127.0.0.1|servers.peer",
                "127.0.0.1:7300|127.0.0.1:70000|servers.client",
                "http: 127.0.0.1:9999|http: nonsense|http",
                "electionTimeout: 2s|electionTimeout: 10ms|electionTimeout",
                "lease: 30s|lease: 1s|lease",
                "lease: 30s|lease: 2h|lease",
                "leaseMargin: 3s|leaseMargin: 1ms|leaseMargin",
                "heartbeat: 500ms|heartbeat: -1s|heartbeat",
                "snapshotEveryEntries: 500|snapshotEveryEntries: -1|snapshotEveryEntries",
                "initialized: true|initialised: true|initialised",
            })
    void aBadValueIsRefusedByItsName(String good, String bad, String field) {
        assertThatThrownBy(() -> read(WHOLE.replace(good, bad == null ? "" : bad)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(field);
    }

    @Test
    void onlyOddSmallGroupsOfDistinctServersAreTaken() {
        ServerAddress one = new ServerAddress("s1", "h:1", "h:2");
        ServerAddress two = new ServerAddress("s2", "h:3", "h:4");
        assertThatThrownBy(() -> with(List.of(one, two))).hasMessageContaining("servers: 2");
        assertThatThrownBy(() -> with(List.of(one, one, two))).hasMessageContaining("given twice");
    }

    private static ServerConfig with(List<ServerAddress> servers) {
        return new ServerConfig(
                "c", "s1", servers, Path.of("/d"), false, null, null, null, null, null, null, null, 0, null);
    }
}
