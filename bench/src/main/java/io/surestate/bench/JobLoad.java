package io.surestate.bench;

import io.surestate.api.v1.EnvVar;
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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Jobs from submit to allocated, then to finished, on three server processes and one process of simulated agents: callers that submit one
 * after another, and a watch that sees when each gang holds its places and when it is done. Arguments: jobs, tasks of each, callers, nodes, jobs to
 * warm up with. Prints jobs and placements per second.
 */
public final class JobLoad {
    private static final Duration CALL = Duration.ofSeconds(60);
    private static final double NANOS_PER_SECOND = 1e9;

    private final ClusterClient client;
    private final ClusterView view;
    private final ExecutorService threads;
    private final int tasks;

    private JobLoad(ClusterClient client, ClusterView view, ExecutorService threads, int tasks) {
        this.client = client;
        this.view = view;
        this.threads = threads;
        this.tasks = tasks;
    }

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        if (args.length != 5) {
            System.err.println("usage: JobLoad JOBS TASKS_EACH CALLERS NODES WARM_UP_JOBS");
            System.exit(2);
        }
        int callers = Integer.parseInt(args[2]);
        int nodes = Integer.parseInt(args[3]);
        ClusterLayout layout = ClusterLayout.of(Files.createTempDirectory("surestate-jobs"), 3);
        ExecutorService threads = Executors.newCachedThreadPool();
        WatchFilter jobs = WatchFilter.newBuilder().setJobs(true).build();
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startFakeNodes("fake", nodes + "x8");
            ReadyNodes.await(api, nodes);
            try (ClusterClient client = new ClusterClient(layout.endpoints(), new Random());
                    ClusterView view = ClusterView.open(client, jobs, threads)) {
                JobLoad load = new JobLoad(client, view, threads, Integer.parseInt(args[1]));
                load.run("warm", Integer.parseInt(args[4]), callers);
                System.out.println(load.run("load", Integer.parseInt(args[0]), callers));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Counts jobs of this run that were seen to hold their places, and to be gone again. */
    private static final class Progress implements ViewListener {
        private final String prefix;
        private final CountDownLatch allocated;
        private final CountDownLatch finished;
        private final Set<String> running = new HashSet<>();

        Progress(String prefix, int jobs) {
            this.prefix = prefix;
            this.allocated = new CountDownLatch(jobs);
            this.finished = new CountDownLatch(jobs);
        }

        @Override
        public void changed(ClusterPicture now, List<WatchEvent> events) {
            for (WatchEvent event : events) {
                Job job = event.getJob();
                boolean started = event.hasJob()
                        && job.getName().startsWith(prefix)
                        && job.getStatus().getPhase() == JobPhase.JOB_PHASE_RUNNING;
                if (started && running.add(job.getUid())) {
                    allocated.countDown();
                }
                if (event.hasJobRemoved() && running.remove(event.getJobRemoved())) {
                    finished.countDown();
                }
            }
        }
    }

    private String run(String prefix, int jobs, int callers) throws InterruptedException, ExecutionException {
        Progress progress = new Progress(prefix, jobs);
        view.addListener(progress);
        long began = System.nanoTime();
        Callers.run(threads, callers, jobs, number -> {
            SubmitJobRequest request = SubmitJobRequest.newBuilder()
                    .setJob(job(prefix + "-" + number))
                    .build();
            client.call(JobsGrpc.getSubmitJobMethod(), request, CALL);
        });
        double accepted = (System.nanoTime() - began) / NANOS_PER_SECOND;
        progress.allocated.await();
        double allocated = (System.nanoTime() - began) / NANOS_PER_SECOND;
        progress.finished.await();
        double finished = (System.nanoTime() - began) / NANOS_PER_SECOND;
        view.removeListener(progress);
        return String.format(
                Locale.ROOT,
                "%d jobs of %d tasks, %d callers: accepted %.0f jobs/s; submit to allocated %.0f jobs/s, %.0f placements/s;"
                        + " submit to finished %.0f jobs/s, %.0f tasks/s",
                jobs,
                tasks,
                callers,
                jobs / accepted,
                jobs / allocated,
                jobs * tasks / allocated,
                jobs / finished,
                jobs * tasks / finished);
    }

    private Job job(String name) {
        return Job.newBuilder()
                .setName(name)
                .setSpec(JobSpec.newBuilder()
                        .addGroups(TaskGroup.newBuilder()
                                .setName("g")
                                .setCount(tasks)
                                .setResources(Resources.newBuilder()
                                        .setCpuMillicores(100)
                                        .setMemoryBytes(1 << 20))
                                .addCommand("true")
                                .addEnv(EnvVar.newBuilder()
                                        .setName("FAKE_RUN_MILLIS")
                                        .setValue("0"))))
                .build();
    }
}
