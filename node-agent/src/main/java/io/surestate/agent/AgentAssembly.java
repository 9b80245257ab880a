package io.surestate.agent;

import static io.surestate.agent.AgentConfig.set;

import io.surestate.agent.cgroup.ControlGroups;
import io.surestate.agent.core.AgentCore;
import io.surestate.agent.core.AgentIdentity;
import io.surestate.agent.core.BootClock;
import io.surestate.agent.core.NodePicture;
import io.surestate.agent.core.TelemetrySample;
import io.surestate.agent.device.DeviceSource;
import io.surestate.agent.device.DeviceWatch;
import io.surestate.agent.device.PluginSource;
import io.surestate.agent.device.Program;
import io.surestate.agent.device.SmiSource;
import io.surestate.agent.discovery.CpuList;
import io.surestate.agent.discovery.NodeDiscovery;
import io.surestate.agent.discovery.OshiMachine;
import io.surestate.agent.discovery.SysfsDevices;
import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.fake.FakeNodes;
import io.surestate.agent.fake.FakeTelemetry;
import io.surestate.agent.fake.SimulatedDriver;
import io.surestate.agent.fake.TaskScript;
import io.surestate.agent.keeper.ProcessKeeper;
import io.surestate.agent.net.GrpcAgentLink;
import io.surestate.agent.net.ProcUptime;
import io.surestate.agent.oci.AllowedFolders;
import io.surestate.agent.oci.ImageStore;
import io.surestate.agent.output.ExecSessions;
import io.surestate.agent.output.OutputStreams;
import io.surestate.agent.output.TaskStreams;
import io.surestate.agent.process.Accounts;
import io.surestate.agent.process.Containers;
import io.surestate.agent.process.Isolation;
import io.surestate.agent.process.PortRange;
import io.surestate.agent.process.ProcessDriver;
import io.surestate.agent.process.ProcessScans;
import io.surestate.agent.process.TaskEntry;
import io.surestate.agent.process.Tools;
import io.surestate.agent.telemetry.MachineTelemetry;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.NodeSpec;
import io.surestate.client.ClientClock;
import io.surestate.client.ClusterClient;
import io.surestate.client.Endpoint;
import io.surestate.manifest.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts an agent process together: a real node, or many simulated ones. The only place that makes its services and threads. */
final class AgentAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(AgentAssembly.class);
    private static final int FAKE_STREAMS_PER_CONNECTION = 250;
    private static final long FAKE_START_SPREAD_MILLIS = 2_000;
    private static final long IMAGE_BYTES_MAX = 256L << 30;
    private static final int IMAGES_KEPT_MAX = 16;
    private static final long TELEMETRY_MILLIS = 5_000;
    private static final long FIRST_LOOKS_MILLIS_MAX = 3_000;
    private static final int PROGRAM_OUTPUT_BYTES_MAX = 8 << 20;

    private final AgentConfig config;
    private final boolean ownKeeper;
    private final RandomGenerator random;
    private final ProcessScans scans;
    private final Path proc = Path.of("/proc");
    private final BootClock clock = new ProcUptime(proc);

    /**
     * Begins with a configuration.
     *
     * @param scans shared by all agents of this process
     * @param ownKeeper whether the agent starts its keeper
     */
    AgentAssembly(AgentConfig config, ProcessScans scans, boolean ownKeeper, RandomGenerator random) {
        this.config = config;
        this.scans = scans;
        this.ownKeeper = ownKeeper;
        this.random = random;
    }

    /** Everything of the process, not started yet. */
    AgentProcess assemble(DataDir dataDir) throws IOException {
        if (!set(config.fakeNodes()).isEmpty()) {
            return fakeNodes(dataDir, new AgentThreads(1));
        }
        List<DeviceSource> sources = sources();
        return realNode(dataDir, sources, new AgentThreads(sources.size()));
    }

    private AgentProcess realNode(DataDir dataDir, List<DeviceSource> sources, AgentThreads threads)
            throws IOException {
        AgentIdentity identity = identity(set(config.nodeName()), dataDir.nodeId(random));
        DeviceWatch devices =
                new DeviceWatch(discover(), sources, dataDir.path().resolve("devices"));
        watch(devices, sources, threads);
        ProcessDriver.Settings settings =
                driverSettings(dataDir, identity, () -> devices.picture().spec());
        ProcessDriver driver = new ProcessDriver(
                settings, scans, new ProcessDriver.Workers(threads.files(), threads.images(), threads.housekeeping()));
        ProcessKeeper keeper = new ProcessKeeper(
                new ProcessKeeper.Settings(
                        dataDir.keeper(),
                        dataDir.tasks(),
                        identity.nodeId(),
                        identity.bootId(),
                        scans.table().identify(ProcessHandle.current().pid()).orElseThrow(),
                        ownKeeper),
                scans.table());
        ClusterClient client = client();
        Set<String> running = ConcurrentHashMap.newKeySet();
        OutputStreams output = new OutputStreams(
                client,
                threads.output(),
                id -> dataDir.tasks().resolve(plain(id)).resolve("out"),
                running::contains);
        AgentCore core = new AgentCore(
                identity,
                new AgentCore.Parts(
                        new GrpcAgentLink(client, threads.agent(), clock),
                        driver,
                        keeper,
                        new TaskStreams(
                                output,
                                new ExecSessions(client, new TaskEntry(settings, scans.table()), threads.commands())),
                        devices::picture,
                        telemetry(devices, threads),
                        random),
                0);
        Runnable publish = () -> {
            Set<String> now = driver.tasks().stream()
                    .filter(task -> !task.ended())
                    .map(KnownTask::allocationId)
                    .collect(Collectors.toSet());
            running.addAll(now);
            running.retainAll(now);
        };
        return new AgentProcess(threads, clock, List.of(core), publish, output, List.of(client, driver));
    }

    private List<DeviceSource> sources() {
        AgentConfig.Discovery how = set(config.discovery());
        Program.Bounds bounds =
                new Program.Bounds(set(how.programPath()), set(how.programLimit()), PROGRAM_OUTPUT_BYTES_MAX);
        Path sysfs = Path.of(set(config.sysfsRoot()));
        List<DeviceSource> sources = new ArrayList<>();
        for (SmiSource.Tool tool : SmiSource.Tool.all()) {
            sources.add(new SmiSource(tool, new Program(tool.program(), bounds), new SysfsDevices(proc, sysfs)));
        }
        for (String plugin : set(how.plugins())) {
            Path path = Path.of(plugin);
            sources.add(new PluginSource("plugin-" + path.getFileName(), path, bounds));
        }
        return sources;
    }

    /**
     * Looks at everything again and again. Waits for the first looks, but not for a tool that hangs: the lease of tasks that run may be
     * short, and what is found later is told by another hello.
     */
    private static void watch(DeviceWatch devices, List<DeviceSource> sources, AgentThreads threads) {
        CountDownLatch looked = new CountDownLatch(sources.size());
        for (DeviceSource source : sources) {
            var unused = threads.devices()
                    .scheduleWithFixedDelay(
                            () -> {
                                lookAgain(devices, source);
                                looked.countDown();
                            },
                            0,
                            Limits.DEVICE_LOOK_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
        try {
            if (!looked.await(FIRST_LOOKS_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
                LOG.warn("event=first-looks-late millis={}", FIRST_LOOKS_MILLIS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void lookAgain(DeviceWatch devices, DeviceSource source) {
        try {
            devices.look(source);
        } catch (RuntimeException e) {
            LOG.warn("event=look-failed source={}", source.name(), e);
        }
    }

    /** Read on a thread that may be slow. */
    private static Supplier<Optional<TelemetrySample>> telemetry(DeviceWatch devices, AgentThreads threads) {
        MachineTelemetry machine = new MachineTelemetry(System::nanoTime, devices::telemetry);
        threads.repeat("telemetry", machine::look, TELEMETRY_MILLIS);
        return machine::newest;
    }

    private ProcessDriver.Settings driverSettings(DataDir dataDir, AgentIdentity identity, Supplier<NodeSpec> node)
            throws IOException {
        Tools found = Tools.find();
        if (!found.missing().isEmpty()) {
            throw new IllegalStateException("programs missing: " + String.join(", ", found.missing())
                    + " (expected: in the system's program folders; Debian: coreutils, util-linux, grep)");
        }
        AgentConfig.Drivers drivers = set(config.drivers());
        Accounts accounts = new Accounts(set(drivers.user()), set(drivers.users()));
        if (!found.privileged()
                && (!accounts.ordinary().isEmpty() || !accounts.allowed().isEmpty())) {
            throw new IllegalStateException(
                    "drivers.user, drivers.users: " + accounts.ordinary() + " "
                            + String.join(", ", accounts.allowed())
                            + " (expected: none, as the agent does not run as root or setpriv and unshare of util-linux are missing)");
        }
        return new ProcessDriver.Settings(
                dataDir.tasks(),
                dataDir.path().resolve("lib"),
                Path.of(set(config.checkpointDir())).toAbsolutePath(),
                identity.nodeId(),
                identity.bootId(),
                identity.incarnation(),
                System.getProperty("user.home"),
                set(config.stopGrace()).toMillis(),
                new Tools(found.missing(), found.taskset() && set(drivers.pinCores()), found.privileged()),
                accounts,
                isolation(drivers, identity.nodeId(), node),
                containers(drivers, found, dataDir),
                PortRange.parse("masterPorts", set(config.masterPorts())),
                set(config.servers()));
    }

    private static Optional<Containers> containers(AgentConfig.Drivers drivers, Tools tools, DataDir dataDir) {
        String named = set(drivers.runtime());
        Optional<Path> runtime = Containers.find(named.isEmpty() ? List.of("runc", "crun") : List.of(named));
        if (!named.isEmpty() && runtime.isEmpty()) {
            throw new IllegalStateException(Names.message("drivers.runtime", named, "a program on this node"));
        }
        ImageStore store = new ImageStore(
                new ImageStore.Settings(
                        dataDir.path().resolve("images"),
                        allowed(drivers.images()),
                        tools.privileged(),
                        IMAGE_BYTES_MAX,
                        IMAGES_KEPT_MAX),
                () -> Containers.used(dataDir.tasks()));
        return runtime.filter(found -> tools.privileged())
                .map(found ->
                        new Containers(store, found, dataDir.path().resolve("containers"), allowed(drivers.mounts())));
    }

    private static AllowedFolders allowed(@Nullable List<String> folders) {
        return new AllowedFolders(set(folders).stream().map(Path::of).toList());
    }

    private Isolation isolation(AgentConfig.Drivers drivers, String nodeId, Supplier<NodeSpec> node)
            throws IOException {
        Optional<ControlGroups> groups = Optional.empty();
        if (set(drivers.controlGroups()) != AgentConfig.UseControlGroups.OFF) {
            try {
                groups = Optional.of(ControlGroups.open(proc, set(drivers.controlGroupParent()), nodeId));
                LOG.info("event=control-groups version={}", groups.get().version());
            } catch (IOException e) {
                if (set(drivers.controlGroups()) == AgentConfig.UseControlGroups.REQUIRED) {
                    throw new IOException("drivers.controlGroups: REQUIRED, but " + e.getMessage(), e);
                }
                LOG.warn(
                        "event=no-control-groups reason=\"{}\" consequence=\"tasks are trusted to keep to what they hold\"",
                        e.toString());
            }
        }
        return new Isolation(groups, node, set(drivers.processesMax()));
    }

    private NodeSpec discover() {
        AgentConfig.Offered offered = set(config.resources());
        String memory = set(offered.memory());
        List<Domain> domains = set(config.domains()).stream()
                .map(place -> Domain.newBuilder()
                        .setLevel(set(place.level()))
                        .setName(set(place.name()))
                        .build())
                .toList();
        NodeDiscovery.Offer offer = new NodeDiscovery.Offer(
                CpuList.parse("resources.cores", set(offered.cores())),
                memory.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Quantity.bytes("resources.memory", memory)),
                set(config.labels()),
                domains);
        Path sysfs = Path.of(set(config.sysfsRoot()));
        return new NodeDiscovery(sysfs, proc, offer)
                .discover(OshiMachine.look(sysfs, proc, Hostname.of(proc))).toBuilder()
                        .setAddress(set(config.address()))
                        .build();
    }

    private AgentProcess fakeNodes(DataDir dataDir, AgentThreads threads) throws IOException {
        FakeNodes.Count count = FakeNodes.Count.parse(set(config.fakeNodes()));
        String prefix = dataDir.nodeId(random).substring(0, 24);
        List<AgentCore> cores = new ArrayList<>();
        List<ClusterClient> clients = new ArrayList<>();
        OutputStreams output = new OutputStreams(
                client(clients), threads.output(), id -> dataDir.path().resolve("no-output"), id -> false);
        ClusterClient client = clients.get(0);
        for (int number = 0; number < count.nodes(); number++) {
            if (number % FAKE_STREAMS_PER_CONNECTION == 0) {
                client = client(clients);
            }
            int fake = number;
            AgentIdentity identity = identity(FakeNodes.name(number), prefix + String.format("%08x", number));
            NodePicture picture = NodePicture.of(FakeNodes.spec(number, count.devices()));
            cores.add(new AgentCore(
                    identity,
                    new AgentCore.Parts(
                            new GrpcAgentLink(client, threads.agent(), clock),
                            new SimulatedDriver(TaskScript.fromEnvironment()),
                            FakeNodes.keeper(),
                            output,
                            () -> picture,
                            () -> Optional.of(FakeTelemetry.of(fake, count.devices(), clock.nowMillis())),
                            random),
                    clock.nowMillis() + random.nextLong(FAKE_START_SPREAD_MILLIS)));
        }
        return new AgentProcess(threads, clock, cores, () -> {}, output, List.copyOf(clients));
    }

    private AgentIdentity identity(String nodeName, String nodeId) throws IOException {
        String version = AgentAssembly.class.getPackage().getImplementationVersion();
        return new AgentIdentity(
                set(config.clusterId()),
                nodeName,
                nodeId,
                Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip(),
                String.format("%016x", random.nextLong()),
                version == null ? "development" : version);
    }

    private ClusterClient client(List<ClusterClient> all) {
        ClusterClient client = client();
        all.add(client);
        return client;
    }

    private ClusterClient client() {
        List<Endpoint> servers =
                set(config.servers()).stream().map(Endpoint::parse).toList();
        return new ClusterClient(servers, random, ClientClock.system(), 1);
    }

    /** Whatever a server asks for, it stays within one folder. */
    private static String plain(String allocationId) {
        return allocationId.matches("[A-Za-z0-9-]{1,64}") ? allocationId : "none";
    }
}
