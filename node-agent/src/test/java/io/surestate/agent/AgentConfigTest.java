package io.surestate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.manifest.config.ConfigException;
import io.surestate.manifest.config.ConfigFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentConfigTest {
    private static final String LEAST = "clusterId: c\nservers: [\"127.0.0.1:7300\"]\ndataDir: /d\n";

    @Test
    void leastConfigurationGetsDefaults() {
        AgentConfig config = parse(LEAST);
        assertThat(config.nodeName()).isEmpty();
        assertThat(config.checkpointDir()).isEqualTo("/d/checkpoints");
        assertThat(config.labels()).isEmpty();
        assertThat(config.domains()).isEmpty();
        assertThat(config.resources()).isEqualTo(new AgentConfig.Offered("", ""));
        assertThat(config.drivers()).isEqualTo(AgentConfig.Drivers.ordinary());
        assertThat(config.stopGrace()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.fakeNodes()).isEmpty();
        assertThat(config.sysfsRoot()).isEqualTo("/sys");
    }

    @Test
    void everyKeyIsRead() {
        AgentConfig config = parse(
                LEAST + "nodeName: n1\ncheckpointDir: /c\nlabels: {pool: a}\n"
                        + "domains: [{level: rack, name: r7}]\nresources: {cores: \"0-3,8\", memory: 6Gi}\n"
                        + "drivers: {pinCores: false, controlGroups: REQUIRED, controlGroupParent: a/b, processesMax: 9, user: runner,"
                        + " users: [alice, bob], runtime: crun, images: [/i], mounts: [/m]}\nstopGrace: 2s\nfakeNodes: 10x8\nsysfsRoot: /s\n"
                        + "discovery: {plugins: [/p/qpus], programLimit: 3s, programPath: /bin}\naddress: 10.0.0.7\nmasterPorts: 100-200\n");
        assertThat(config)
                .isEqualTo(new AgentConfig(
                        "c",
                        "n1",
                        List.of("127.0.0.1:7300"),
                        "/d",
                        "/c",
                        Map.of("pool", "a"),
                        List.of(new AgentConfig.Place("rack", "r7")),
                        new AgentConfig.Offered("0-3,8", "6Gi"),
                        new AgentConfig.Drivers(
                                false,
                                AgentConfig.UseControlGroups.REQUIRED,
                                "a/b",
                                9L,
                                "runner",
                                List.of("alice", "bob"),
                                "crun",
                                List.of("/i"),
                                List.of("/m")),
                        Duration.ofSeconds(2),
                        "10x8",
                        "/s",
                        new AgentConfig.Discovery(List.of("/p/qpus"), Duration.ofSeconds(3), "/bin"),
                        "10.0.0.7",
                        "100-200"));
    }

    @Test
    void theEffectiveConfigurationCanBeReadAgain() {
        AgentConfig config = parse(LEAST + "labels: {pool: a}\nstopGrace: 1500ms\n");
        assertThat(parse(ConfigFile.write(config))).isEqualTo(config);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nodeName: A_b|nodeName: \"A_b\"",
                "servers: []|servers: empty (expected: at least one host:port)",
                "servers: [x]|server: \"x\" (expected: host:port",
                "resources: {cores: 3-1}|resources.cores: \"3-1\" (expected: core numbers",
                "resources: {memory: lots}|resources.memory",
                "fakeNodes: many|fakeNodes: \"many\" (expected: NODESxDEVICES",
                "fakeNodes: 0x8|fakeNodes: \"0x8\" (expected: NODESxDEVICES",
                "stopGrace: 2h|stopGrace",
                "domains: [{level: rack}]|domains.name: missing",
                "dataDirr: /d|dataDir",
                "drivers: {controlGroups: MAYBE}|controlGroups",
                "drivers: {controlGroupParent: /x}|drivers.controlGroupParent: \"/x\" (expected: a relative path",
                "drivers: {controlGroupParent: a/../b}|drivers.controlGroupParent",
                "drivers: {images: [i]}|drivers.images: \"i\" (expected: an absolute path)",
                "drivers: {processesMax: -1}|drivers.processesMax: \"-1\" (expected: 0-4194304",
                "drivers: {users: [\"a b\"]}|drivers.users: \"a b\" (expected: an account's name",
                "discovery: {plugins: [qpus]}|discovery.plugins: \"qpus\" (expected: an absolute path",
                "discovery: {plugins: [/a/x, /b/x]}|discovery.plugins: \"/b/x\" (expected: an absolute path",
                "discovery: {programLimit: 2h}|discovery.programLimit",
            })
    void aBadValueIsNamed(String line, String message) {
        String base = LEAST.lines()
                .filter(l -> !l.startsWith(line.substring(0, line.indexOf(':')) + ":"))
                .reduce("", (a, b) -> a + b + "\n");
        assertThatThrownBy(() -> parse(base + line + "\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"clusterId", "dataDir"})
    void aMissingValueIsNamed(String key) {
        String base = LEAST.lines().filter(l -> !l.startsWith(key)).reduce("", (a, b) -> a + b + "\n");
        assertThatThrownBy(() -> parse(base)).hasMessageContaining(key + ": missing");
    }

    @Test
    void theShippedExampleIsValid() {
        AgentConfig config = ConfigFile.read(Path.of("../conf/surestate-agent.yaml"), AgentConfig.class);
        assertThat(config.servers()).hasSize(3);
    }

    private static AgentConfig parse(String yaml) {
        return ConfigFile.parse("agent.yaml", yaml, AgentConfig.class);
    }
}
