package io.surestate.agent;

import io.surestate.agent.discovery.CpuList;
import io.surestate.agent.fake.FakeNodes;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.client.Endpoint;
import io.surestate.manifest.Quantity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one agent process, checked and with every default filled in but the machine's own values. Immutable.
 *
 * @param clusterId same as in the servers' configuration
 * @param nodeName DNS subdomain; empty = the machine's host name
 * @param servers {@code host:port} of the servers' client ports
 * @param dataDir this agent's alone
 * @param checkpointDir where jobs publish that name no folder of their own; empty = {@code checkpoints} below {@code dataDir}
 * @param labels of the node
 * @param domains the node's place in the fabric, outermost first
 * @param resources what of the machine is given out
 * @param drivers how tasks are run
 * @param stopGrace between the end of a task's program and the kill of what it left running
 * @param fakeNodes {@code NODESxDEVICES}, such as {@code 1000x8}: simulate nodes instead of being one; empty = no
 * @param sysfsRoot where the kernel shows its devices
 */
public record AgentConfig(
        @Nullable String clusterId,
        @Nullable String nodeName,
        @Nullable List<String> servers,
        @Nullable String dataDir,
        @Nullable String checkpointDir,
        @Nullable Map<String, String> labels,
        @Nullable List<Place> domains,
        @Nullable Offered resources,
        @Nullable Drivers drivers,
        @Nullable Duration stopGrace,
        @Nullable String fakeNodes,
        @Nullable String sysfsRoot) {
    private static final Duration STOP_GRACE_MAX = Duration.ofHours(1);

    /** One step of the node's place in the fabric. */
    public record Place(@Nullable String level, @Nullable String name) {
        public Place {
            level = required("domains.level", level);
            name = required("domains.name", name);
        }
    }

    /**
     * What of the machine is given out.
     *
     * @param cores such as {@code 0-3,8}; empty = all that are online and allowed
     * @param memory such as {@code 6Gi}; empty = all but a reserve
     */
    public record Offered(@Nullable String cores, @Nullable String memory) {
        public Offered {
            cores = orEmpty(cores);
            memory = orEmpty(memory);
            CpuList.parse("resources.cores", cores);
            if (!memory.isEmpty()) {
                Quantity.bytes("resources.memory", memory);
            }
        }
    }

    /**
     * How tasks are run.
     *
     * @param pinCores keep each task on the cores of its allocation
     */
    public record Drivers(@Nullable Boolean pinCores) {
        public Drivers {
            pinCores = pinCores == null || pinCores;
        }
    }

    public AgentConfig {
        clusterId = required("clusterId", clusterId);
        nodeName = orEmpty(nodeName);
        if (!nodeName.isEmpty()) {
            refuse(Names.subdomainProblem("nodeName", nodeName));
        }
        servers = servers == null ? List.of() : List.copyOf(servers);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("servers: empty (expected: at least one host:port)");
        }
        servers.forEach(Endpoint::parse);
        dataDir = required("dataDir", dataDir);
        checkpointDir = orEmpty(checkpointDir);
        if (checkpointDir.isEmpty()) {
            checkpointDir = Path.of(dataDir, "checkpoints").toString();
        }
        labels = labels == null ? Map.of() : java.util.Collections.unmodifiableMap(new TreeMap<>(labels));
        domains = domains == null ? List.of() : List.copyOf(domains);
        resources = resources == null ? new Offered("", "") : resources;
        drivers = drivers == null ? new Drivers(true) : drivers;
        stopGrace = stopGrace == null ? Duration.ofMillis(Limits.STOP_GRACE_MILLIS) : stopGrace;
        if (stopGrace.isNegative() || stopGrace.compareTo(STOP_GRACE_MAX) > 0) {
            throw new IllegalArgumentException(Names.message("stopGrace", stopGrace.toString(), "0s to 1h"));
        }
        fakeNodes = orEmpty(fakeNodes);
        if (!fakeNodes.isEmpty()) {
            FakeNodes.Count.parse(fakeNodes);
        }
        sysfsRoot = orEmpty(sysfsRoot);
        if (sysfsRoot.isEmpty()) {
            sysfsRoot = "/sys";
        }
    }

    /** The same with another node name. */
    AgentConfig named(String name) {
        return new AgentConfig(
                clusterId,
                name,
                servers,
                dataDir,
                checkpointDir,
                labels,
                domains,
                resources,
                drivers,
                stopGrace,
                fakeNodes,
                sysfsRoot);
    }

    static <T> T set(@Nullable T value) {
        return Optional.ofNullable(value).orElseThrow();
    }

    private static void refuse(Optional<String> problem) {
        problem.ifPresent(message -> {
            throw new IllegalArgumentException(message);
        });
    }

    private static String required(String field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(field + ": missing (expected: a value)");
        }
        return value;
    }

    private static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }
}
