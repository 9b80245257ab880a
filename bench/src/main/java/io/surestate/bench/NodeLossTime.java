package io.surestate.bench;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Task;
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
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * From the loss of a node to the moment at which all tasks of its gang run again, on three server processes and real agents of one place each, a process
 * each. A loss is SIGKILL to a node's agent, its keeper and its task at once; the gang takes every place but one. Afterwards the node is started again.
 * Arguments: losses, lease in seconds, agents. Prints the parts of each loss, as a watching client sees them end, and their percentiles.
 */
public final class NodeLossTime {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long MILLIS_MAX = 600_000;
    private static final long LOSS_SECONDS_MAX = 300;
    private static final long TASK_BYTES = 900L << 20;
    private static final String JOB = "gang";

    private NodeLossTime() {}

    /** What a loss comes to, each as long as it takes from the end of the one before it. */
    private enum Part {
        /** The node is suspected. */
        DETECT,
        /** It is given up: its lease and the margin are over. */
        FENCE,
        /** The tasks that are left are stopped. */
        STOP,
        /** The gang has its places again. */
        DECIDE,
        /** All tasks run. */
        START
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 3) {
            System.err.println("usage: NodeLossTime LOSSES LEASE_SECONDS AGENTS");
            System.exit(2);
        }
        int losses = Integer.parseInt(args[0]);
        int agents = Integer.parseInt(args[2]);
        Duration lease = Duration.ofSeconds(Long.parseLong(args[1]));
        ClusterLayout layout = ClusterLayout.of(Files.createTempDirectory("surestate-losses"), 3)
                .with(ClusterLayout.Timing.ofLease(lease));
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            for (int agent = 0; agent < agents; agent++) {
                cluster.startAgent("n" + agent, "0-1", "1Gi");
            }
            ReadyNodes.await(api, agents);
            try (ClusterClient client = new ClusterClient(layout.endpoints(), new Random());
                    ClusterView view = ClusterView.open(
                            client,
                            WatchFilter.newBuilder()
                                    .setJobs(true)
                                    .setNodes(true)
                                    .build(),
                            threads)) {
                System.out.println(run(cluster, api, view, losses, agents));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static String run(ProcessCluster cluster, Api api, ClusterView view, int losses, int agents)
            throws InterruptedException {
        Loss first = new Loss("", 0);
        view.addListener(first);
        api.submit(gang(agents - 1));
        first.await();
        view.removeListener(first);
        Map<Part, Histogram> parts = new EnumMap<>(Part.class);
        Histogram totals = new Histogram(MILLIS_MAX, 3);
        for (int i = 0; i < losses; i++) {
            Task victim = api.job(JOB).getTasks(i % (agents - 1));
            Loss loss = new Loss(victim.getNode(), victim.getAttempt());
            view.addListener(loss);
            loss.begin();
            cluster.killNode(victim.getNode());
            loss.await();
            view.removeListener(loss);
            Map<Part, Long> millis = loss.millis();
            millis.forEach((part, took) -> parts.computeIfAbsent(part, any -> new Histogram(MILLIS_MAX, 3))
                    .recordValue(took));
            long total = millis.values().stream().mapToLong(Long::longValue).sum();
            totals.recordValue(total);
            System.out.println("loss " + (i + 1) + " of " + victim.getNode() + ": " + millis + " ms, total " + total);
            cluster.restartAgent(victim.getNode());
            ReadyNodes.await(api, agents);
        }
        List<String> lines = new ArrayList<>();
        parts.forEach((part, taken) -> lines.add(line(part.name().toLowerCase(Locale.ROOT), taken)));
        lines.add(line("total", totals));
        return String.join("\n", lines);
    }

    private static String line(String what, Histogram millis) {
        return String.format(
                Locale.ROOT,
                "%-7s p50 %6d ms, min %6d, p90 %6d, max %6d, %d losses",
                what,
                millis.getValueAtPercentile(50),
                millis.getMinValue(),
                millis.getValueAtPercentile(90),
                millis.getMaxValue(),
                millis.getTotalCount());
    }

    /** One task takes one node. */
    private static Job gang(int tasks) {
        Job.Builder job = Api.checkpointedJob(JOB, tasks, "exec sleep 1000000", "UNUSED", "").toBuilder();
        job.getSpecBuilder().getGroupsBuilder(0).getResourcesBuilder().setMemoryBytes(TASK_BYTES);
        return job.build();
    }

    /** When each part of a loss ended, as seen in the watch. */
    private static final class Loss implements ViewListener {
        private final String node;
        private final int attempt;
        private final Map<Part, Long> endedNanos = new EnumMap<>(Part.class);
        private final CountDownLatch over = new CountDownLatch(1);
        private long beganNanos;

        /** @param attempt of the gang when its node is lost */
        Loss(String node, int attempt) {
            this.node = node;
            this.attempt = attempt;
        }

        synchronized void begin() {
            beganNanos = System.nanoTime();
        }

        @Override
        public synchronized void changed(ClusterPicture now, List<WatchEvent> events) {
            long nanos = System.nanoTime();
            for (WatchEvent event : events) {
                if (event.hasNode() && event.getNode().getName().equals(node)) {
                    seen(event.getNode(), nanos);
                } else if (event.hasJob() && event.getJob().getStatus().getAttempt() > attempt) {
                    seen(event.getJob().getStatus(), nanos);
                }
            }
        }

        private void seen(Node now, long nanos) {
            if (now.getStatus().getState() == NodeState.NODE_STATE_SUSPECTED) {
                endedNanos.putIfAbsent(Part.DETECT, nanos);
            } else if (now.getStatus().getState() == NodeState.NODE_STATE_LOST) {
                endedNanos.putIfAbsent(Part.FENCE, nanos);
            }
        }

        private void seen(JobStatus now, long nanos) {
            endedNanos.putIfAbsent(Part.STOP, nanos);
            if (now.getPhase() == JobPhase.JOB_PHASE_RUNNING) {
                endedNanos.putIfAbsent(Part.DECIDE, nanos);
            }
            if (now.getRunStartedMillis() > 0) {
                endedNanos.putIfAbsent(Part.START, nanos);
                over.countDown();
            }
        }

        void await() throws InterruptedException {
            if (!over.await(LOSS_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the gang does not run, " + LOSS_SECONDS_MAX + " s after " + node);
            }
        }

        /** How long each part took. */
        synchronized Map<Part, Long> millis() {
            Map<Part, Long> millis = new EnumMap<>(Part.class);
            long before = beganNanos;
            for (Map.Entry<Part, Long> end : endedNanos.entrySet()) {
                millis.put(end.getKey(), Math.max(0, end.getValue() - before) / NANOS_PER_MILLI);
                before = Math.max(before, end.getValue());
            }
            return millis;
        }
    }
}
