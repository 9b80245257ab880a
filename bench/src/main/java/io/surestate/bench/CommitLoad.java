package io.surestate.bench;

import io.grpc.Channel;
import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.CancelJobRequest;
import io.surestate.api.v1.CancelJobResponse;
import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ListServersRequest;
import io.surestate.api.v1.RequestHeader;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.Server;
import io.surestate.api.v1.ServerRole;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.SubmitJobResponse;
import io.surestate.api.v1.TaskGroup;
import io.surestate.client.ClusterClient;
import io.surestate.client.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Closed-loop commits against a running cluster: each slot submits a job, then cancels it, over and over; both are one command each.
 * Arguments: servers, commands in flight, seconds to measure, seconds to warm up. Prints commands per second and latencies.
 */
public final class CommitLoad {
    private static final Duration FIND_LEADER = Duration.ofSeconds(30);
    private static final long OUTCOME_MILLIS = 8_000;
    private static final long LATENCY_MICROS_MAX = 60_000_000;

    private final JobsGrpc.JobsStub jobs;
    private final long clusterAheadMillis;
    private final String run = Long.toHexString(System.nanoTime());
    private final AtomicLong names = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final Histogram micros = new ConcurrentHistogram(LATENCY_MICROS_MAX, 3);
    private volatile boolean measuring;
    private volatile boolean stopping;

    /** {@code clusterAheadMillis}: cluster time less this machine's wall clock. */
    private CommitLoad(Channel leader, long clusterAheadMillis) {
        this.jobs = JobsGrpc.newStub(leader);
        this.clusterAheadMillis = clusterAheadMillis;
    }

    public static void main(String[] args) throws InterruptedException {
        if (args.length != 4) {
            System.err.println("usage: CommitLoad HOST:PORT[,HOST:PORT...] IN_FLIGHT SECONDS WARMUP_SECONDS");
            System.exit(2);
        }
        int inFlight = Integer.parseInt(args[1]);
        long seconds = Long.parseLong(args[2]);
        try (ClusterClient client = new ClusterClient(Endpoint.parseList(args[0]), new Random())) {
            long clusterMillis = client.call(
                            ClusterGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance(), FIND_LEADER)
                    .getMeta()
                    .getTimeMillis();
            CommitLoad load =
                    new CommitLoad(client.channel(leader(client)), clusterMillis - System.currentTimeMillis());
            CountDownLatch ended = new CountDownLatch(inFlight);
            for (int slot = 0; slot < inFlight; slot++) {
                load.submit(ended);
            }
            Thread.sleep(1_000 * Long.parseLong(args[3]));
            load.measuring = true;
            Thread.sleep(1_000 * seconds);
            load.measuring = false;
            load.stopping = true;
            ended.await();
            load.print(inFlight, seconds);
        }
    }

    private static Endpoint leader(ClusterClient client) {
        List<Server> servers = client.call(
                        ClusterGrpc.getListServersMethod(), ListServersRequest.getDefaultInstance(), FIND_LEADER)
                .getServersList();
        return servers.stream()
                .filter(server -> server.getRole() == ServerRole.SERVER_ROLE_LEADER)
                .map(server -> Endpoint.parse(server.getClientAddress()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no leader among " + servers));
    }

    private void submit(CountDownLatch ended) {
        if (stopping) {
            ended.countDown();
            return;
        }
        String name = "bench-" + run + "-" + names.incrementAndGet();
        Job job = Job.newBuilder()
                .setName(name)
                .setSpec(JobSpec.newBuilder()
                        .setScheduler("nobody")
                        .addGroups(TaskGroup.newBuilder()
                                .setName("g")
                                .setCount(1)
                                .setResources(Resources.newBuilder().setCpuMillicores(1000))
                                .addCommand("true")))
                .build();
        jobs.submitJob(
                SubmitJobRequest.newBuilder()
                        .setHeader(header(name + "-s"))
                        .setJob(job)
                        .build(),
                new Answer<SubmitJobResponse>(() -> cancel(name, ended)));
    }

    private void cancel(String name, CountDownLatch ended) {
        jobs.cancelJob(
                CancelJobRequest.newBuilder()
                        .setHeader(header(name + "-c"))
                        .setJob(name)
                        .build(),
                new Answer<CancelJobResponse>(() -> submit(ended)));
    }

    /** Outcomes are kept for a short time, so that a long run stays below what one principal may have. */
    private RequestHeader header(String requestId) {
        return RequestHeader.newBuilder()
                .setRequestId(requestId)
                .setExpiresMillis(System.currentTimeMillis() + clusterAheadMillis + OUTCOME_MILLIS)
                .build();
    }

    private void print(int inFlight, long seconds) {
        System.out.printf(
                "in-flight %d commands/s %d p50 %.2f ms p99 %.2f ms p99.9 %.2f ms failures %d%n",
                inFlight,
                micros.getTotalCount() / seconds,
                micros.getValueAtPercentile(50) / 1000.0,
                micros.getValueAtPercentile(99) / 1000.0,
                micros.getValueAtPercentile(99.9) / 1000.0,
                failures.get());
    }

    /** Counts one answer, then goes on. */
    private final class Answer<R> implements StreamObserver<R> {
        private final Runnable next;
        private final long sentNanos = System.nanoTime();

        Answer(Runnable next) {
            this.next = next;
        }

        @Override
        public void onNext(R reply) {
            if (measuring) {
                micros.recordValue(Math.min(LATENCY_MICROS_MAX, (System.nanoTime() - sentNanos) / 1_000));
            }
        }

        @Override
        public void onError(Throwable failure) {
            failures.incrementAndGet();
            next.run();
        }

        @Override
        public void onCompleted() {
            next.run();
        }
    }
}
