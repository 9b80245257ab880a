package io.surestate.testkit.cluster;

import io.surestate.api.Limits;
import io.surestate.client.Endpoint;
import io.surestate.server.ServerConfig;
import io.surestate.server.ServerConfig.ServerAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the servers of a test cluster live and how they are set.
 *
 * @param folder holds a data folder per server
 * @param timing short, for tests that lose nodes
 */
public record ClusterLayout(
        Path folder,
        List<ServerAddress> servers,
        List<String> http,
        Timing timing,
        int snapshotEveryEntries,
        String logSegment) {
    static final String CLUSTER_ID = "test";

    /**
     * When a silent node is given up.
     *
     * @param lease longer than an election on a loaded machine
     */
    public record Timing(Duration lease, Duration margin, Duration heartbeat) {
        private static final Timing SHORT =
                new Timing(Duration.ofSeconds(8), Duration.ofSeconds(1), Duration.ofMillis(500));

        /** As servers have it that are not told otherwise, but for the lease. */
        public static Timing ofLease(Duration lease) {
            return new Timing(
                    lease,
                    Duration.ofMillis(Limits.LEASE_MARGIN_MILLIS_DEFAULT),
                    Duration.ofMillis(Limits.HEARTBEAT_MILLIS_DEFAULT));
        }
    }

    /** That many servers on free loopback ports. */
    public static ClusterLayout of(Path folder, int count) {
        List<Integer> ports = FreePorts.take(3 * count);
        List<ServerAddress> servers = new ArrayList<>();
        List<String> http = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            servers.add(new ServerAddress(
                    "s" + (i + 1), "127.0.0.1:" + ports.get(3 * i), "127.0.0.1:" + ports.get(3 * i + 1)));
            http.add("127.0.0.1:" + ports.get(3 * i + 2));
        }
        return new ClusterLayout(folder, servers, http, Timing.SHORT, 100_000, "32Mi");
    }

    /** Snapshots often and keeps a short log, so that a server that was away must install a snapshot. */
    public ClusterLayout withShortLog(int entries) {
        return new ClusterLayout(folder, servers, http, timing, entries, "64Ki");
    }

    /** With other times. */
    public ClusterLayout with(Timing other) {
        return new ClusterLayout(folder, servers, http, other, snapshotEveryEntries, logSegment);
    }

    public int size() {
        return servers.size();
    }

    public ServerConfig config(int server) {
        return new ServerConfig(
                CLUSTER_ID,
                servers.get(server).id(),
                servers,
                folder.resolve("s" + (server + 1)),
                false,
                http.get(server),
                Duration.ofMillis(500),
                timing.lease(),
                timing.margin(),
                timing.heartbeat(),
                Duration.ofMillis(Limits.KEEP_ROOM_AFTER_MILLIS_DEFAULT),
                Duration.ofMillis(Limits.HOLD_DOWN_MILLIS_DEFAULT),
                snapshotEveryEntries,
                logSegment);
    }

    public Endpoint endpoint(int server) {
        return Endpoint.parse(String.valueOf(servers.get(server).client()));
    }

    public List<Endpoint> endpoints() {
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            endpoints.add(endpoint(i));
        }
        return endpoints;
    }
}
