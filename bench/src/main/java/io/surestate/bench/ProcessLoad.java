package io.surestate.bench;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.TaskGroup;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/**
 * Jobs of one real process each, {@code true}, from submit to finished, on three server processes and real agents of 64 slots each, all in one process, because so many JVMs do not fit beside
 * the servers. Arguments: jobs, callers, agents, jobs to warm up with, millicores of a task (31 = 64 slots of two cores; 0 = none, so that nothing
 * is pinned). Prints jobs per second, the time from submit to finished, and who used the CPU.
 */
public final class ProcessLoad {
    private static final Duration CALL = Duration.ofSeconds(60);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MICROS_MAX = 600_000_000;
    private static final double MICROS_PER_MILLI = 1_000;
    private static final long TASK_BYTES = 64L << 20;

    private final ClusterClient client;
    private final ClusterView view;
    private final ExecutorService threads;
    private final int millicores;

    private ProcessLoad(ClusterClient client, ClusterView view, ExecutorService threads, int millicores) {
        this.client = client;
        this.view = view;
        this.threads = threads;
        this.millicores = millicores;
    }

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        if (args.length != 5) {
            System.err.println("usage: ProcessLoad JOBS CALLERS AGENTS WARM_UP_JOBS MILLICORES");
            System.exit(2);
        }
        int callers = Integer.parseInt(args[1]);
        int agents = Integer.parseInt(args[2]);
        ClusterLayout layout = ClusterLayout.of(Files.createTempDirectory("surestate-processes"), 3);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgents("n", agents, "0-1", "4Gi");
            ReadyNodes.await(api, agents);
            try (ClusterClient client = new ClusterClient(layout.endpoints(), new Random());
                    ClusterView view = ClusterView.open(
                            client, WatchFilter.newBuilder().setJobs(true).build(), threads)) {
                ProcessLoad load = new ProcessLoad(client, view, threads, Integer.parseInt(args[4]));
                load.run("warm", Integer.parseInt(args[3]), callers);
                System.out.println(load.run("load", Integer.parseInt(args[0]), callers));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** When each job of a run was submitted, and how and when it was seen to be over. */
    private static final class Progress implements ViewListener {
        private final String prefix;
        private final Map<String, Long> submittedNanos = new ConcurrentHashMap<>();
        private final Map<String, String> names = new ConcurrentHashMap<>();
        private final Histogram micros = new Histogram(MICROS_MAX, 3);
        private final AtomicInteger succeeded = new AtomicInteger();
        private final CountDownLatch finished;

        Progress(String prefix, int jobs) {
            this.prefix = prefix;
            this.finished = new CountDownLatch(jobs);
        }

        @Override
        public void changed(ClusterPicture now, List<WatchEvent> events) {
            for (WatchEvent event : events) {
                Job job = event.getJob();
                if (event.hasJob() && job.getName().startsWith(prefix)) {
                    names.put(job.getUid(), job.getName());
                    if (job.getStatus().getPhase() == JobPhase.JOB_PHASE_SUCCEEDED) {
                        succeeded.incrementAndGet();
                    }
                }
                String over = event.hasJobRemoved() ? names.remove(event.getJobRemoved()) : null;
                if (over != null) {
                    long nanos = System.nanoTime() - submittedNanos.getOrDefault(over, 0L);
                    micros.recordValue(Math.min(MICROS_MAX, nanos / NANOS_PER_MICRO));
                    finished.countDown();
                }
            }
        }
    }

    private String run(String prefix, int jobs, int callers)
            throws IOException, InterruptedException, ExecutionException {
        Progress progress = new Progress(prefix, jobs);
        view.addListener(progress);
        CpuTimes before = CpuTimes.now();
        long began = System.nanoTime();
        Callers.run(threads, callers, jobs, number -> {
            String name = prefix + "-" + number;
            progress.submittedNanos.put(name, System.nanoTime());
            client.call(
                    JobsGrpc.getSubmitJobMethod(),
                    SubmitJobRequest.newBuilder().setJob(job(name)).build(),
                    CALL);
        });
        double accepted = (System.nanoTime() - began) / NANOS_PER_SECOND;
        progress.finished.await();
        double finished = (System.nanoTime() - began) / NANOS_PER_SECOND;
        CpuTimes used = CpuTimes.now().since(before);
        view.removeListener(progress);
        return String.format(
                Locale.ROOT,
                "%d jobs, %d succeeded, %d callers: accepted %.0f jobs/s; submit to finished %.0f jobs/s, p50 %.0f ms, p90 %.0f ms, p99 %.0f ms%n%s",
                jobs,
                progress.succeeded.get(),
                callers,
                jobs / accepted,
                jobs / finished,
                progress.micros.getValueAtPercentile(50) / MICROS_PER_MILLI,
                progress.micros.getValueAtPercentile(90) / MICROS_PER_MILLI,
                progress.micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
                used.perEach(jobs));
    }

    private Job job(String name) {
        return Job.newBuilder()
                .setName(name)
                .setSpec(JobSpec.newBuilder()
                        .addGroups(TaskGroup.newBuilder()
                                .setName("g")
                                .setCount(1)
                                .setResources(Resources.newBuilder()
                                        .setCpuMillicores(millicores)
                                        .setMemoryBytes(TASK_BYTES))
                                .addCommand("true")))
                .build();
    }
}
