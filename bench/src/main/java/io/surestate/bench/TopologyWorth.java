package io.surestate.bench;

import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Topology;
import io.surestate.scheduler.fabric.Fabric;
import io.surestate.scheduler.gang.Arrangement;
import io.surestate.scheduler.gang.GangAsk;
import io.surestate.scheduler.gang.GangResult;
import io.surestate.scheduler.gang.GangSearch;
import io.surestate.scheduler.gang.GroupAsk;
import io.surestate.scheduler.gang.TaskPlace;
import io.surestate.scheduler.policy.Policies;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Placer;
import io.surestate.scheduler.pool.Pool;
import io.surestate.scheduler.pool.Shape;
import io.surestate.sim.batch.JobLog;
import io.surestate.sim.gpujobs.PhillyTrace;
import io.surestate.sim.trace.TraceBounds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * What topology awareness is worth: a trace of GPU jobs on ten supernodes of 72 GPUs (18 trays of four) in five rows, each job a gang of one
 * rank per GPU, in order of arrival with whoever fits going ahead; once by the policy alone, once near. Arrivals are compressed until
 * the jobs ask for so much of the cluster. Arguments: a trace of the muri form, the load in percent (80).
 */
public final class TopologyWorth {
    private static final int SUPERNODES = 10;
    private static final int TRAYS = 18;
    private static final int GPUS_PER_TRAY = 4;
    private static final int GPUS = SUPERNODES * TRAYS * GPUS_PER_TRAY;
    private static final Shape RANK =
            new Shape(1_000, 1, List.of(new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, List.of(), 1, 1_000)));

    private final JobLog log;
    private final double compression;
    private final boolean near;
    private final Pool pool;
    private final Placer placer;
    private final Fabric fabric;
    private final PriorityQueue<Running> running =
            new PriorityQueue<>((one, other) -> Double.compare(one.ends, other.ends));
    private final Deque<Integer> queue = new ArrayDeque<>();
    private long gangs;
    private long gangsInOneSupernode;
    private long gangsThatFitOne;
    private long neighbours;
    private long distance;
    private double waited;

    private record Running(double ends, List<TaskPlace> tasks) {}

    private TopologyWorth(JobLog log, double load, boolean near) {
        this.log = log;
        this.near = near;
        double work = 0;
        for (int job = 0; job < log.size(); job++) {
            work += (double) log.run(job) * log.processors(job);
        }
        this.compression = work / (load * GPUS) / log.submit(log.size() - 1);
        List<NodeRow> rows = new ArrayList<>();
        List<List<Domain>> paths = new ArrayList<>();
        for (int node = 0; node < SUPERNODES * TRAYS; node++) {
            NodeRow.Builder row = NodeRow.builder(String.format(Locale.ROOT, "n%03d", node))
                    .flatCpu(144_000)
                    .memory(1L << 40);
            for (int gpu = 0; gpu < GPUS_PER_TRAY; gpu++) {
                row.device(gpu, DeviceKind.DEVICE_KIND_GPU, "GB200", 1_000);
            }
            rows.add(row.build());
            paths.add(List.of(domain("row", node / TRAYS / 2), domain("supernode", node / TRAYS)));
        }
        pool = new Pool(rows);
        placer =
                new Placer(pool, new Policies().named("surestate").orElseThrow().create(pool, new SplittableRandom(1)));
        fabric = Fabric.of(paths);
    }

    private static Domain domain(String level, int number) {
        return Domain.newBuilder().setLevel(level).setName(level + number).build();
    }

    public static void main(String[] args) throws IOException {
        JobLog log =
                PhillyTrace.read(Path.of(args[0]), GPUS, TraceBounds.ordinary()).log();
        double load = args.length > 1 ? Double.parseDouble(args[1]) / 100 : 0.8;
        for (boolean near : new boolean[] {false, true}) {
            TopologyWorth worth = new TopologyWorth(log, load, near);
            worth.replay();
            worth.print();
        }
    }

    private void replay() {
        for (int job = 0; job < log.size(); job++) {
            double now = log.submit(job) * compression;
            while (!running.isEmpty() && running.peek().ends <= now) {
                double ended = running.peek().ends;
                release(running.remove());
                startWaiting(ended);
            }
            queue.add(job);
            startWaiting(now);
        }
        while (!running.isEmpty()) {
            double ended = running.peek().ends;
            release(running.remove());
            startWaiting(ended);
        }
    }

    private void release(Running done) {
        done.tasks.forEach(
                task -> pool.release(task.place().node(), task.place().fit()));
    }

    private void startWaiting(double now) {
        queue.removeIf(job -> start(job, now));
    }

    private boolean start(int job, double now) {
        GroupAsk group = new GroupAsk("w", RANK, log.processors(job), Topology.getDefaultInstance());
        GangAsk gang =
                new GangAsk(List.of(group), Topology.getDefaultInstance(), near ? Arrangement.NEAR : Arrangement.ANY);
        GangResult result = new GangSearch(pool, placer, fabric).place(gang);
        if (!(result instanceof GangResult.Placed placed)) {
            return false;
        }
        running.add(new Running(now + log.run(job), placed.tasks()));
        waited += now - log.submit(job) * compression;
        count(placed.tasks());
        return true;
    }

    private void count(List<TaskPlace> tasks) {
        if (tasks.size() < 2) {
            return;
        }
        gangs++;
        int first = tasks.get(0).place().node();
        boolean together = tasks.stream()
                .allMatch(task ->
                        fabric.domainOf("supernode", task.place().node()) == fabric.domainOf("supernode", first));
        gangsInOneSupernode += together ? 1 : 0;
        gangsThatFitOne += tasks.size() <= TRAYS * GPUS_PER_TRAY ? 1 : 0;
        for (int rank = 1; rank < tasks.size(); rank++) {
            neighbours++;
            distance += fabric.distance(
                    tasks.get(rank - 1).place().node(), tasks.get(rank).place().node());
        }
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%-8s %d jobs, %d gangs (%d of them no larger than a supernode): in one supernode %.1f %%; mean distance of"
                        + " neighbours in rank %.3f; mean wait %.0f s%n",
                near ? "near" : "policy",
                log.size(),
                gangs,
                gangsThatFitOne,
                100.0 * gangsInOneSupernode / gangs,
                (double) distance / neighbours,
                waited / log.size());
    }
}
