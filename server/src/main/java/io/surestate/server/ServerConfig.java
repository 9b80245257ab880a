package io.surestate.server;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.manifest.Quantity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code surestated.yaml} says. Every component has its default or is required; a bad value is refused with its name.
 *
 * @param clusterId equal on all servers of a cluster; a data folder of another one is never opened
 * @param serverId this server's entry in {@code servers}
 * @param servers every voter, the same list on all of them; 1, 3 or 5
 * @param dataDir belongs to this server alone
 * @param initialized says that this server's data folder was in use before: it is then never taken for a new one, even by --bootstrap
 * @param http address of metrics and health
 * @param electionTimeout a follower that hears nothing this long may stand for election
 * @param lease written into the cluster's settings when it is new; likewise leaseMargin, heartbeat, keepRoomAfter and holdDown
 * @param snapshotEveryEntries log entries between snapshots; the log behind one is dropped by whole segments, but for that many entries
 * @param logSegment size of one file of the log, such as 32Mi; 64Ki-1Gi
 */
public record ServerConfig(
        String clusterId,
        String serverId,
        List<ServerAddress> servers,
        Path dataDir,
        boolean initialized,
        String http,
        Duration electionTimeout,
        Duration lease,
        Duration leaseMargin,
        Duration heartbeat,
        Duration keepRoomAfter,
        Duration holdDown,
        int snapshotEveryEntries,
        String logSegment) {
    private static final String HTTP_DEFAULT = "127.0.0.1:7302";
    private static final Duration ELECTION_TIMEOUT_DEFAULT = Duration.ofSeconds(1);
    /** A shorter lease would end tasks each time a leader dies. */
    private static final int LEASE_ELECTIONS_MIN = 5;

    private static final String LOG_SEGMENT_DEFAULT = "32Mi";
    private static final long LOG_SEGMENT_BYTES_MIN = 64 << 10;
    private static final long LOG_SEGMENT_BYTES_MAX = 1 << 30;
    private static final int SNAPSHOT_EVERY_ENTRIES_DEFAULT = 100_000;

    /**
     * A voter.
     *
     * @param peer host:port that other servers reach it at
     * @param client host:port that clients and agents reach it at
     */
    public record ServerAddress(
            @Nullable String id,
            @Nullable String peer,
            @Nullable String client) {
        public ServerAddress {
            require(Names.subdomainProblem("servers.id", id == null ? "" : id));
            hostPort("servers.peer", peer);
            hostPort("servers.client", client);
        }
    }

    public ServerConfig(
            @Nullable String clusterId,
            @Nullable String serverId,
            @Nullable List<ServerAddress> servers,
            @Nullable Path dataDir,
            boolean initialized,
            @Nullable String http,
            @Nullable Duration electionTimeout,
            @Nullable Duration lease,
            @Nullable Duration leaseMargin,
            @Nullable Duration heartbeat,
            @Nullable Duration keepRoomAfter,
            @Nullable Duration holdDown,
            int snapshotEveryEntries,
            @Nullable String logSegment) {
        this.clusterId = clusterId == null ? "" : clusterId;
        this.serverId = serverId == null ? "" : serverId;
        this.servers = servers == null ? List.of() : List.copyOf(servers);
        this.dataDir = dataDir == null ? Path.of("") : dataDir;
        this.initialized = initialized;
        this.http = http == null ? HTTP_DEFAULT : http;
        this.electionTimeout = or(electionTimeout, ELECTION_TIMEOUT_DEFAULT);
        this.lease = or(lease, Duration.ofMillis(Limits.LEASE_MILLIS_DEFAULT));
        this.leaseMargin = or(leaseMargin, Duration.ofMillis(Limits.LEASE_MARGIN_MILLIS_DEFAULT));
        this.heartbeat = or(heartbeat, Duration.ofMillis(Limits.HEARTBEAT_MILLIS_DEFAULT));
        this.keepRoomAfter = or(keepRoomAfter, Duration.ofMillis(Limits.KEEP_ROOM_AFTER_MILLIS_DEFAULT));
        this.holdDown = or(holdDown, Duration.ofMillis(Limits.HOLD_DOWN_MILLIS_DEFAULT));
        this.snapshotEveryEntries = snapshotEveryEntries == 0 ? SNAPSHOT_EVERY_ENTRIES_DEFAULT : snapshotEveryEntries;
        this.logSegment = logSegment == null ? LOG_SEGMENT_DEFAULT : logSegment;
        check();
    }

    private void check() {
        require(Names.subdomainProblem("clusterId", clusterId));
        require(Names.subdomainProblem("serverId", serverId));
        if (servers.size() != 1 && servers.size() != 3 && servers.size() != 5) {
            throw new IllegalArgumentException("servers: " + servers.size() + " (expected: 1, 3 or 5 voters)");
        }
        if (servers.stream().map(ServerAddress::id).distinct().count() != servers.size()) {
            throw new IllegalArgumentException("servers.id: given twice (expected: each id once)");
        }
        if (servers.stream().noneMatch(server -> serverId.equals(server.id()))) {
            throw new IllegalArgumentException(Names.message("serverId", serverId, "the id of one of servers"));
        }
        if (dataDir.toString().isEmpty()) {
            throw new IllegalArgumentException("dataDir: absent (expected: a folder of this server's own)");
        }
        hostPort("http", http);
        range("electionTimeout", electionTimeout, 100, 60_000);
        range("lease", lease, Limits.LEASE_MILLIS_MIN, Limits.LEASE_MILLIS_MAX);
        if (lease.compareTo(electionTimeout.multipliedBy(LEASE_ELECTIONS_MIN)) < 0) {
            throw new IllegalArgumentException("lease: " + lease.toMillis() + "ms (expected: at least "
                    + LEASE_ELECTIONS_MIN + " times electionTimeout, so that it outlasts an election)");
        }
        range("leaseMargin", leaseMargin, 100, 60_000);
        range("heartbeat", heartbeat, 100, 60_000);
        range("keepRoomAfter", keepRoomAfter, Limits.KEEP_ROOM_AFTER_MILLIS_MIN, Limits.KEEP_ROOM_AFTER_MILLIS_MAX);
        range("holdDown", holdDown, Limits.HOLD_DOWN_MILLIS_MIN, Limits.HOLD_DOWN_MILLIS_MAX);
        if (snapshotEveryEntries < 100) {
            throw new IllegalArgumentException(
                    "snapshotEveryEntries: " + snapshotEveryEntries + " (expected: 100 or more)");
        }
        if (logSegmentBytes() < LOG_SEGMENT_BYTES_MIN || logSegmentBytes() > LOG_SEGMENT_BYTES_MAX) {
            throw new IllegalArgumentException(Names.message("logSegment", logSegment, "64Ki-1Gi"));
        }
    }

    long logSegmentBytes() {
        return Quantity.bytes("logSegment", logSegment);
    }

    /** This server's own addresses. */
    public ServerAddress self() {
        return servers.stream()
                .filter(server -> serverId.equals(server.id()))
                .findFirst()
                .orElseThrow();
    }

    private static Duration or(@Nullable Duration given, Duration otherwise) {
        return given == null ? otherwise : given;
    }

    private static void range(String field, Duration value, long minMillis, long maxMillis) {
        if (value.toMillis() < minMillis || value.toMillis() > maxMillis) {
            throw new IllegalArgumentException(
                    field + ": " + value.toMillis() + "ms (expected: " + minMillis + "ms-" + maxMillis + "ms)");
        }
    }

    private static void hostPort(String field, @Nullable String address) {
        String given = address == null ? "" : address;
        if (!given.matches("[A-Za-z0-9.-]{1,253}:[0-9]{1,5}") || port(given) > 65_535) {
            throw new IllegalArgumentException(Names.message(field, given, "host:port"));
        }
    }

    static String host(String hostPort) {
        return hostPort.substring(0, hostPort.lastIndexOf(':'));
    }

    static int port(String hostPort) {
        return Integer.parseInt(hostPort.substring(hostPort.lastIndexOf(':') + 1));
    }

    private static void require(Optional<String> problem) {
        problem.ifPresent(message -> {
            throw new IllegalArgumentException(message);
        });
    }
}
