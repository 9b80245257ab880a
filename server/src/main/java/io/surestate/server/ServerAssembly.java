package io.surestate.server;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.surestate.api.Limits;
import io.surestate.api.v1.Settings;
import io.surestate.daemon.ServiceManager;
import io.surestate.log.v1.InitCluster;
import io.surestate.server.ServerConfig.ServerAddress;
import io.surestate.server.api.ApiContext;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.GrpcPeers;
import io.surestate.server.api.LeaderCalls;
import io.surestate.server.api.MalformedRequests;
import io.surestate.server.api.Pages;
import io.surestate.server.api.Reads;
import io.surestate.server.api.Refused;
import io.surestate.server.api.ServerChannels;
import io.surestate.server.apply.ApplyLoop;
import io.surestate.server.apply.StateHome;
import io.surestate.server.cluster.ClusterService;
import io.surestate.server.cluster.PeersService;
import io.surestate.server.http.HttpEndpoint;
import io.surestate.server.http.Meters;
import io.surestate.server.job.JobsService;
import io.surestate.server.ledger.LedgerService;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.server.node.AgentsService;
import io.surestate.server.node.ExecRelay;
import io.surestate.server.node.NodesService;
import io.surestate.server.node.OutputRelay;
import io.surestate.server.raft.RaftSettings;
import io.surestate.server.raft.RatisLog;
import io.surestate.server.request.Mutations;
import io.surestate.server.request.RequestsService;
import io.surestate.server.watch.WatchOpening;
import io.surestate.server.watch.WatchService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * One running server: the only place where its threads and services are made. {@link #start} returns when it listens; {@link #close}
 * stops everything in reverse order.
 */
public final class ServerAssembly implements AutoCloseable {
    private static final long POLL_MILLIS = 50;
    private static final long WATCH_POLL_MILLIS = 1_000;
    private static final long LEADERSHIP_POLL_MILLIS = 100;
    private static final long STANDING_MILLIS = 1_000;
    private static final long APPLY_WAIT_MILLIS = 100;
    private static final long STOP_WAIT_MILLIS = 2_000;
    private static final long KEEP_ALIVE_SECONDS_MIN = 5;
    private static final int REQUEST_THREADS = 16;
    private static final int REQUESTS_WAITING_MAX = 10_000;

    private final ServerConfig config;
    private final Consumer<Throwable> onFault;
    private final DataDir dataDir;
    private final Meters meters = new Meters();
    private final ScheduledExecutorService leaderLoop;
    private final ThreadPoolExecutor requests;
    private final Thread applyThread;
    private final ServerCore core;
    private final ServerChannels channels;
    private final LeaderCalls leaderCalls;
    private final Authorizer authorizer = Authorizer.allowAll();
    private final Reads reads;
    private final HealthStatusManager health = new HealthStatusManager();
    private final WatchService watch;
    private final Server grpc;
    private final HttpEndpoint http;
    private final AtomicBoolean pollAsked = new AtomicBoolean();
    private volatile boolean stopping;

    /**
     * Locks the data folder and puts everything together.
     *
     * @param bootstrap take an empty data folder for the first start of a new cluster
     * @param onFault told when this server cannot go on; the process must end
     */
    public ServerAssembly(ServerConfig config, boolean bootstrap, Consumer<Throwable> onFault) {
        this.config = config;
        this.onFault = onFault;
        dataDir = DataDir.open(config, bootstrap);
        leaderLoop = Executors.newSingleThreadScheduledExecutor(named("surestate-leader"));
        requests = new ThreadPoolExecutor(
                REQUEST_THREADS,
                REQUEST_THREADS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(REQUESTS_WAITING_MAX),
                named("surestate-request"));
        requests.allowCoreThreadTimeOut(true);
        channels = new ServerChannels(config.servers().stream()
                .collect(Collectors.toMap(ServerAssembly::id, server -> String.valueOf(server.client()))));
        StateHome home = new StateHome(dataDir.folder().resolve("state"));
        core = new ServerCore(
                new ServerCore.Environment(
                        config.serverId(),
                        init(config),
                        System::currentTimeMillis,
                        System::nanoTime,
                        this::onLeaderLoop,
                        home::open,
                        meters,
                        log -> notLeader(),
                        this::fault),
                consumer -> new RatisLog(raft(config, dataDir.folder()), consumer, new GrpcPeers(channels)));
        leaderCalls = new LeaderCalls(core.log(), config.serverId(), channels);
        meters.bind(core.log(), core.applyLoop(), core.commit());
        applyThread = named("surestate-apply").newThread(this::runApply);
        core.applyLoop().views().onPublish(this::askPoll);
        reads = new Reads(core.applyLoop().views(), core.readIndex());
        watch = watchService();
        grpc = grpcServer();
        http = new HttpEndpoint(
                new InetSocketAddress(ServerConfig.host(config.http()), ServerConfig.port(config.http())),
                meters::scrape,
                core.agents().telemetry()::gauges,
                () -> core.log().leadership().leaderId().isPresent(),
                requests);
    }

    private Refused notLeader() {
        return leaderCalls.notLeader();
    }

    private static String id(ServerAddress server) {
        return String.valueOf(server.id());
    }

    private static InitCluster init(ServerConfig config) {
        return InitCluster.newBuilder()
                .setClusterId(config.clusterId())
                .setHistoryId(UUID.randomUUID().toString())
                .setSettings(Settings.newBuilder()
                        .setLeaseMillis(config.lease().toMillis())
                        .setLeaseMarginMillis(config.leaseMargin().toMillis())
                        .setHeartbeatMillis(config.heartbeat().toMillis())
                        .setKeepRoomAfterMillis(config.keepRoomAfter().toMillis())
                        .setHoldDownMillis(config.holdDown().toMillis()))
                .build();
    }

    private static RaftSettings raft(ServerConfig config, Path folder) {
        return new RaftSettings(
                config.serverId(),
                config.clusterId(),
                config.servers().stream()
                        .map(server -> new RaftSettings.Peer(id(server), String.valueOf(server.peer())))
                        .toList(),
                folder.resolve("raft"),
                config.electionTimeout(),
                config.snapshotEveryEntries(),
                config.logSegmentBytes());
    }

    private WatchService watchService() {
        WatchOpening opening =
                new WatchOpening(core.watchFeed(), reads, core.applyLoop().views());
        return new WatchService(core.watchFeed(), opening, requests, authorizer, System::nanoTime);
    }

    private Server grpcServer() {
        ApplyLoop applyLoop = core.applyLoop();
        ApiContext api = new ApiContext(reads, new Pages(reads, System::nanoTime), leaderCalls, authorizer);
        Mutations mutations = new Mutations(core.commit(), core.clock(), leaderCalls, reads);
        OutputRelay outputs = new OutputRelay(core.agents(), config.serverId());
        ExecRelay execs = new ExecRelay(core.agents(), config.serverId());
        String address = String.valueOf(config.self().client());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(ServerConfig.host(address), ServerConfig.port(address)))
                .executor(requests)
                .maxInboundMessageSize(Limits.MESSAGE_BYTES_MAX)
                .permitKeepAliveTime(KEEP_ALIVE_SECONDS_MIN, TimeUnit.SECONDS)
                .intercept(LeaderCalls.recogniseForwarded());
        List<BindableService> services = List.of(
                new JobsService(mutations, core.scheduling(), ServerCore.feasibility(), outputs, execs, api),
                new NodesService(mutations, core.agents().telemetry(), core.relocation()::reason, api),
                new LedgerService(mutations, api),
                new RequestsService(core.commit(), api),
                new ClusterService(
                        config.serverId(), mutations, servers(), api, channels, core.log(), applyLoop, core.clock()),
                new PeersService(core.log(), core.readIndex(), leaderCalls),
                watch,
                new AgentsService(core.agents(), outputs, execs, leaderCalls, authorizer),
                health.getHealthService(),
                ProtoReflectionServiceV1.newInstance());
        services.forEach(service -> builder.addService(MalformedRequests.refusedBy(service)));
        return builder.build();
    }

    private List<io.surestate.api.v1.Server> servers() {
        return config.servers().stream()
                .map(server -> io.surestate.api.v1.Server.newBuilder()
                        .setId(id(server))
                        .setPeerAddress(String.valueOf(server.peer()))
                        .setClientAddress(String.valueOf(server.client()))
                        .setVersion(Version.current())
                        .build())
                .toList();
    }

    /**
     * Opens the state, joins the others and listens.
     *
     * @param manager told each round of the leader loop that it came round, and who leads
     */
    public void start(ServiceManager manager) {
        applyThread.start();
        ((RatisLog) core.log()).start();
        repeat(core::poll, POLL_MILLIS);
        repeat(watch::poll, WATCH_POLL_MILLIS);
        repeat(((RatisLog) core.log())::poll, LEADERSHIP_POLL_MILLIS);
        try {
            grpc.start();
        } catch (IOException cannotListen) {
            throw new UncheckedIOException(
                    "client port: " + config.self().client() + ": " + cannotListen.getMessage(), cannotListen);
        }
        repeat(
                () -> {
                    manager.beat();
                    manager.status(standing());
                },
                STANDING_MILLIS);
        http.start();
        health.setStatus("", ServingStatus.SERVING);
    }

    /** For people who ask the service manager. */
    private String standing() {
        String self = config.serverId();
        return core.log()
                .leadership()
                .leaderId()
                .map(leader -> leader.equals(self) ? self + " leads" : self + " follows " + leader)
                .orElse(self + " knows no leader");
    }

    private void repeat(Runnable work, long everyMillis) {
        onLeaderLoop(() -> {
            work.run();
            if (!stopping) {
                leaderLoop.schedule(() -> repeat(work, everyMillis), everyMillis, TimeUnit.MILLISECONDS);
            }
        });
    }

    /** A defect in leader work must not leave half of it running: this server ends, another leads. */
    private void onLeaderLoop(Runnable work) {
        try {
            leaderLoop.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException defect) {
                    fault(defect);
                }
            });
        } catch (RejectedExecutionException alreadyStopped) {
            if (!stopping) {
                throw alreadyStopped;
            }
        }
    }

    private void fault(Throwable cause) {
        if (!stopping) {
            onFault.accept(cause);
        }
    }

    /** One waiting poll is enough, however much was applied. */
    private void askPoll() {
        if (!stopping && pollAsked.compareAndSet(false, true)) {
            onLeaderLoop(() -> {
                pollAsked.set(false);
                core.poll();
            });
        }
    }

    private void runApply() {
        while (!stopping || core.applyLoop().backlog() > 0) {
            try {
                core.applyLoop().awaitWork(APPLY_WAIT_MILLIS);
            } catch (InterruptedException asked) {
                return;
            }
        }
    }

    public ReplicatedLog log() {
        return core.log();
    }

    public ServerCore core() {
        return core;
    }

    @Override
    public void close() {
        health.enterTerminalState();
        stopping = true;
        grpc.shutdown();
        http.close();
        leaderLoop.shutdownNow();
        grpc.shutdownNow();
        core.log().close();
        channels.close();
        requests.shutdownNow();
        await(applyThread);
        core.applyLoop().suspend();
        meters.close();
        dataDir.close();
    }

    private static void await(Thread thread) {
        try {
            thread.join(STOP_WAIT_MILLIS);
            thread.interrupt();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static ThreadFactory named(String name) {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
