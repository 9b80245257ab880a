package io.surestate.agent;

import io.surestate.agent.discovery.CpuList;
import io.surestate.agent.fake.FakeNodes;
import io.surestate.agent.process.PortRange;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.client.Endpoint;
import io.surestate.manifest.Quantity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * @param discovery how devices are found
 * @param address where tasks of other nodes reach this one's; empty = the machine's host name
 * @param masterPorts such as {@code 20000-29999}: where rank 0 of a gang may listen; the same on all nodes
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
        @Nullable String sysfsRoot,
        @Nullable Discovery discovery,
        @Nullable String address,
        @Nullable String masterPorts) {
    private static final String MASTER_PORTS_DEFAULT = "20000-29999";
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

    /** Whether tasks get a control group of the kernel's. */
    public enum UseControlGroups {
        /** Where the kernel and the agent's rights allow it. */
        AUTO,
        /** The agent does not start without. */
        REQUIRED,
        OFF
    }

    /**
     * How tasks are run.
     *
     * @param pinCores keep each task on the cores of its allocation, where it has no control group
     * @param controlGroups whether tasks are held to what they hold by the kernel
     * @param controlGroupParent below which the agent makes them, relative to the kernel's hierarchies
     * @param processesMax of one task, threads included; 0 = unbounded. Only with control groups
     * @param user account of tasks that name none; empty = the agent's own
     * @param users accounts that tasks may name
     * @param runtime that runs images: a name or an absolute path; empty = runc or else crun, where installed
     * @param images folders below which images may lie
     * @param mounts folders below which tasks with an image may mount
     */
    public record Drivers(
            @Nullable Boolean pinCores,
            @Nullable UseControlGroups controlGroups,
            @Nullable String controlGroupParent,
            @Nullable Long processesMax,
            @Nullable String user,
            @Nullable List<String> users,
            @Nullable String runtime,
            @Nullable List<String> images,
            @Nullable List<String> mounts) {
        private static final long PROCESSES_MAX_DEFAULT = 16_384;
        private static final long PROCESSES_MAX_MAX = 4_194_304;

        public Drivers {
            pinCores = pinCores == null || pinCores;
            controlGroups = controlGroups == null ? UseControlGroups.AUTO : controlGroups;
            controlGroupParent = controlGroupParent == null ? "surestate" : controlGroupParent;
            if (!controlGroupParent.matches("[A-Za-z0-9_.@-]+(/[A-Za-z0-9_.@-]+)*")
                    || controlGroupParent.contains("..")) {
                throw new IllegalArgumentException(Names.message(
                        "drivers.controlGroupParent", controlGroupParent, "a relative path such as surestate"));
            }
            processesMax = processesMax == null ? PROCESSES_MAX_DEFAULT : processesMax;
            if (processesMax < 0 || processesMax > PROCESSES_MAX_MAX) {
                throw new IllegalArgumentException(
                        Names.message("drivers.processesMax", Long.toString(processesMax), "0-" + PROCESSES_MAX_MAX));
            }
            user = orEmpty(user);
            users = users == null ? List.of() : List.copyOf(users);
            if (!user.isEmpty()) {
                refuse(Names.accountProblem("drivers.user", user));
            }
            users.forEach(name -> refuse(Names.accountProblem("drivers.users", name)));
            runtime = orEmpty(runtime);
            images = absolute("drivers.images", images);
            mounts = absolute("drivers.mounts", mounts);
        }

        static Drivers ordinary() {
            return new Drivers(null, null, null, null, null, null, null, null, null);
        }
    }

    /**
     * How devices are found.
     *
     * @param plugins executables that print devices, by absolute path
     * @param programLimit how long one run of a program may take
     * @param programPath folders in which the makers' tools are looked for, separated by colons
     */
    public record Discovery(
            @Nullable List<String> plugins,
            @Nullable Duration programLimit,
            @Nullable String programPath) {
        private static final Duration LIMIT_DEFAULT = Duration.ofSeconds(10);
        private static final Duration LIMIT_MIN = Duration.ofMillis(100);
        private static final Duration LIMIT_MAX = Duration.ofMinutes(1);
        private static final String PATH_DEFAULT =
                "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/rocm/bin:/usr/local/Ascend/driver/tools";

        public Discovery {
            plugins = plugins == null ? List.of() : List.copyOf(plugins);
            if (plugins.size() > Limits.PLUGINS_MAX) {
                throw new IllegalArgumentException(Names.message(
                        "discovery.plugins", plugins.size() + " plug-ins", "at most " + Limits.PLUGINS_MAX));
            }
            Set<String> names = new HashSet<>();
            for (String plugin : plugins) {
                Path path = Path.of(plugin);
                if (!path.isAbsolute()
                        || path.getFileName() == null
                        || !names.add(path.getFileName().toString())) {
                    throw new IllegalArgumentException(Names.message(
                            "discovery.plugins", plugin, "an absolute path whose file name no other plug-in has"));
                }
            }
            programLimit = programLimit == null ? LIMIT_DEFAULT : programLimit;
            if (programLimit.compareTo(LIMIT_MIN) < 0 || programLimit.compareTo(LIMIT_MAX) > 0) {
                throw new IllegalArgumentException(
                        Names.message("discovery.programLimit", programLimit.toString(), "100ms to 1m"));
            }
            programPath = orEmpty(programPath);
            if (programPath.isEmpty()) {
                programPath = PATH_DEFAULT;
            }
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
        drivers = drivers == null ? Drivers.ordinary() : drivers;
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
        discovery = discovery == null ? new Discovery(null, null, null) : discovery;
        address = orEmpty(address);
        if (!address.matches("[A-Za-z0-9._:-]{0," + Limits.NAME_CHARS_MAX + "}")) {
            throw new IllegalArgumentException(Names.message("address", address, "a host name or an IP address"));
        }
        masterPorts = masterPorts == null ? MASTER_PORTS_DEFAULT : masterPorts;
        PortRange.parse("masterPorts", masterPorts);
    }

    private static List<String> absolute(String field, @Nullable List<String> folders) {
        List<String> all = folders == null ? List.of() : List.copyOf(folders);
        for (String folder : all) {
            if (!folder.startsWith("/")) {
                throw new IllegalArgumentException(Names.message(field, folder, "an absolute path"));
            }
        }
        return all;
    }

    /** The same with another node name. */
    AgentConfig named(String name) {
        return with(name, set(sysfsRoot));
    }

    /** The same with another root of sysfs. */
    AgentConfig rooted(String sysfs) {
        return with(set(nodeName), sysfs);
    }

    private AgentConfig with(String name, String sysfs) {
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
                sysfs,
                discovery,
                address,
                masterPorts);
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
