package io.surestate.bench;

import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.client.ClusterClient;
import io.surestate.client.ClusterPicture;
import io.surestate.client.ClusterView;
import io.surestate.client.ViewListener;
import io.surestate.testkit.cluster.Api;
import io.surestate.testkit.cluster.ClusterLayout;
import io.surestate.testkit.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many simulated agents that heartbeat and tell another reading of eight devices each second, on three server processes; all agents in one process.
 * Arguments: nodes, seconds to watch, seconds between kills of the leader (0 = none). Prints how many leases were missed, as suspicions and losses of nodes,
 * and what the leader used for each thousand agents. With {@code -Dsurestate.jvmFlags="-Xmx2g -XX:+UseSerialGC"}, as the ordinary 256 MiB are too few.
 */
public final class AgentFleet {
    private static final int DEVICES = 8;
    private static final double THOUSAND = 1_000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long KIBI_PER_MEBI = 1_024;
    private static final long LOOK_EVERY_MILLIS = 200;

    private AgentFleet() {}

    /** Counts what should not be. */
    private static final class Missed implements ViewListener {
        private final AtomicInteger suspected = new AtomicInteger();
        private final AtomicInteger lost = new AtomicInteger();

        @Override
        public void changed(ClusterPicture now, List<WatchEvent> events) {
            for (WatchEvent event : events) {
                // Of an event that is about something else, unspecified.
                NodeState state = event.getNode().getStatus().getState();
                if (state == NodeState.NODE_STATE_SUSPECTED) {
                    suspected.incrementAndGet();
                } else if (state == NodeState.NODE_STATE_LOST) {
                    lost.incrementAndGet();
                }
            }
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 3) {
            System.err.println("usage: AgentFleet NODES SECONDS LEADER_KILL_SECONDS");
            System.exit(2);
        }
        int nodes = Integer.parseInt(args[0]);
        int seconds = Integer.parseInt(args[1]);
        int killEvery = Integer.parseInt(args[2]);
        ClusterLayout layout = ClusterLayout.of(Files.createTempDirectory("surestate-fleet"), 3)
                .with(ClusterLayout.Timing.ofLease(Duration.ofSeconds(20)));
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            long began = System.nanoTime();
            cluster.startFakeNodes("fleet", nodes + "x" + DEVICES);
            try (ClusterClient client = new ClusterClient(layout.endpoints(), new Random());
                    ClusterView view = ClusterView.open(
                            client, WatchFilter.newBuilder().setNodes(true).build(), threads)) {
                while (ready(view) < nodes) {
                    Thread.sleep(LOOK_EVERY_MILLIS);
                }
                System.out.printf(
                        Locale.ROOT,
                        "%d nodes ready after %.0f s%n",
                        nodes,
                        (System.nanoTime() - began) / NANOS_PER_SECOND);
                Missed missed = new Missed();
                view.addListener(missed);
                String used = killEvery == 0
                        ? watch(cluster, api, nodes, seconds)
                        : watchWithKills(cluster, api, view, seconds, killEvery);
                System.out.printf(
                        Locale.ROOT,
                        "%d s: %d suspicions, %d nodes lost; %s%n",
                        seconds,
                        missed.suspected.get(),
                        missed.lost.get(),
                        used);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static String watch(ProcessCluster cluster, Api api, int nodes, int seconds)
            throws IOException, InterruptedException {
        ProcessHandle leader = cluster.process(api.status().getLeaderId());
        Duration before = leader.info().totalCpuDuration().orElse(Duration.ZERO);
        Thread.sleep(seconds * 1_000L);
        Duration used = leader.info().totalCpuDuration().orElse(Duration.ZERO).minus(before);
        return String.format(
                Locale.ROOT,
                "leader for each thousand agents: %.1f %% of a core, %.0f MiB resident",
                100 * used.toMillis() / THOUSAND / seconds / (nodes / THOUSAND),
                residentMebibytes(leader.pid()) / (nodes / THOUSAND));
    }

    private static long ready(ClusterView view) {
        return view.picture().nodes().stream()
                .filter(node -> node.getStatus().getState() == NodeState.NODE_STATE_READY)
                .count();
    }

    private static String watchWithKills(ProcessCluster cluster, Api api, ClusterView view, int seconds, int killEvery)
            throws InterruptedException {
        int kills = seconds / killEvery;
        for (int i = 0; i < kills; i++) {
            int leader = Integer.parseInt(api.status().getLeaderId().substring(1)) - 1;
            cluster.killServer(leader);
            Thread.sleep(killEvery * 500L);
            cluster.restartServer(leader);
            Thread.sleep(killEvery * 500L);
        }
        return kills + " leaders killed, ready at the end: " + ready(view);
    }

    private static double residentMebibytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"), StandardCharsets.US_ASCII).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum()
                / (double) KIBI_PER_MEBI;
    }
}
