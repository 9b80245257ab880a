package io.surestate.cli.connect;

import io.surestate.cli.CliException;
import io.surestate.client.Endpoint;
import io.surestate.manifest.config.ConfigFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Finds the servers to ask: option, then environment, then configuration file, then this machine. */
final class ServerSetting {
    static final String VARIABLE = "SSCTL_SERVER";
    private static final String DEFAULT = "127.0.0.1:7300";

    private final Map<String, String> environment;
    private final Path home;

    ServerSetting(Map<String, String> environment, Path home) {
        this.environment = environment;
        this.home = home;
    }

    /** @param option empty = not given */
    List<Endpoint> servers(String option) {
        if (!option.isEmpty()) {
            return parse("--server", option);
        }
        String variable = environment.getOrDefault(VARIABLE, "");
        if (!variable.isEmpty()) {
            return parse(VARIABLE, variable);
        }
        Path file = configFile();
        if (Files.exists(file)) {
            String configured = ConfigFile.read(file, UserConfig.class).serverOrEmpty();
            if (!configured.isEmpty()) {
                return parse(file + ": server", configured);
            }
        }
        return Endpoint.parseList(DEFAULT);
    }

    private Path configFile() {
        String base = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path folder = base.isEmpty() ? home.resolve(".config") : Path.of(base);
        return folder.resolve("surestate").resolve("config.yaml");
    }

    private static List<Endpoint> parse(String from, String text) {
        try {
            return Endpoint.parseList(text);
        } catch (IllegalArgumentException bad) {
            throw CliException.usage(from + ": " + bad.getMessage());
        }
    }
}
