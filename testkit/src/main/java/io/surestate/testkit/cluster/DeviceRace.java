package io.surestate.testkit.cluster;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CommitPlanRequest;
import io.surestate.api.v1.CommitPlanResponse;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListNodesRequest;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.ReleaseAllocationsRequest;
import io.surestate.client.ClusterClient;
import io.surestate.client.Endpoint;
import io.surestate.testkit.check.HolderWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many clients that take single devices at random and give them back, each until it had its number of them, while a watcher looks at
 * every revision. One thread runs it; the clients have their own.
 */
public final class DeviceRace {
    private static final Duration CALL = Duration.ofSeconds(60);
    private static final int WHOLE_MILLI = 1_000;

    private final List<Endpoint> servers;
    private final AtomicInteger committed = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    /** Raced for are all devices of all nodes. */
    public DeviceRace(List<Endpoint> servers) {
        this.servers = List.copyOf(servers);
    }

    /**
     * What came of it.
     *
     * @param committed plans that got their device
     * @param refused plans that met another holder
     * @param revisionsSeen revisions at which the watcher saw allocations change
     * @param problems what the watcher saw that must not be; empty = nothing
     * @param left allocations that are live at the end
     */
    public record Result(int committed, int refused, long nanos, long revisionsSeen, List<String> problems, int left) {
        public Result {
            problems = List.copyOf(problems);
        }
    }

    /** Runs to the end. {@code halfway} is called once, on a thread of its own, when half of the commits are done. */
    public Result run(int clients, int commitsEach, Runnable halfway) {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ClusterClient watching = new ClusterClient(servers, new Random());
                HolderWatch holders = new HolderWatch(watching)) {
            long began = System.nanoTime();
            CountDownLatch half = new CountDownLatch(clients * commitsEach / 2);
            Future<?> midway = threads.submit(() -> {
                half.await();
                halfway.run();
                return true;
            });
            List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int client = i;
                running.add(threads.submit(() -> race(client, commitsEach, half)));
            }
            Future<?> watched = threads.submit(() -> {
                holders.follow(
                        revision -> running.stream().allMatch(Future::isDone) && revision >= lastRevision(running));
                return true;
            });
            long last = lastRevision(running);
            long nanos = System.nanoTime() - began;
            midway.get();
            watched.get();
            return new Result(
                    committed.get(),
                    refused.get(),
                    nanos,
                    holders.revisionsSeen(),
                    last > 0 ? holders.problems() : List.of("nothing was committed"),
                    holders.live());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stop);
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static long lastRevision(List<Future<Long>> running) {
        long last = 0;
        for (Future<Long> client : running) {
            try {
                last = Math.max(last, client.get());
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(stop);
            } catch (ExecutionException failed) {
                throw new IllegalStateException(failed.getCause());
            }
        }
        return last;
    }

    /** Returns the revision of its last release. */
    private long race(int client, int commits, CountDownLatch half) {
        Random random = new Random(client);
        long last = 0;
        try (ClusterClient calls = new ClusterClient(servers, new Random(client))) {
            List<Node> nodes = nodes(calls);
            int done = 0;
            while (done < commits) {
                String name = "c" + client + "-" + done;
                Node node = nodes.get(random.nextInt(nodes.size()));
                int device = random.nextInt(node.getSpec().getDevicesCount());
                CommitPlanResponse answer = commit(calls, name, node, device);
                if (answer.getCommitted()) {
                    committed.incrementAndGet();
                    half.countDown();
                    done++;
                    last = release(calls, name);
                } else {
                    refused.incrementAndGet();
                    boolean stale = answer.getConflicts(0).getKind() == ConflictKind.CONFLICT_KIND_NODE;
                    // Agents register anew with a new leader.
                    nodes = stale ? nodes(calls) : nodes;
                }
            }
        }
        return last;
    }

    private static List<Node> nodes(ClusterClient calls) {
        return calls.call(NodesGrpc.getListNodesMethod(), ListNodesRequest.getDefaultInstance(), CALL)
                .getNodesList();
    }

    private static CommitPlanResponse commit(ClusterClient calls, String name, Node node, int device) {
        Placement placement = Placement.newBuilder()
                .setNode(node.getName())
                .setNodeEpoch(node.getStatus().getEpoch())
                .setClaim(Claim.newBuilder()
                        .addDevices(DeviceShare.newBuilder().setOrdinal(device).setMilli(WHOLE_MILLI)))
                .build();
        return calls.call(
                LedgerGrpc.getCommitPlanMethod(),
                CommitPlanRequest.newBuilder()
                        .setPlan(Plan.newBuilder()
                                .setScheduler("race")
                                .addGangs(
                                        GangPlacement.newBuilder().setName(name).addPlacements(placement)))
                        .build(),
                CALL);
    }

    private static long release(ClusterClient calls, String name) {
        return calls.call(
                        LedgerGrpc.getReleaseAllocationsMethod(),
                        ReleaseAllocationsRequest.newBuilder().setName(name).build(),
                        CALL)
                .getRevision();
    }
}
