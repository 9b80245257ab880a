package io.surestate.sim.openb;

import io.surestate.api.Names;
import io.surestate.scheduler.policy.Policy;
import io.surestate.scheduler.policy.PolicyFactory;
import io.surestate.scheduler.pool.Place;
import io.surestate.scheduler.pool.Placer;
import io.surestate.scheduler.pool.Pool;
import io.surestate.scheduler.pool.Shape;
import io.surestate.sim.Progress;
import io.surestate.sim.cluster.ClusterRefusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * The published inflation experiment: pods arrive one at a time in a shuffled order and never leave; one that fits nowhere is dropped.
 * After each pod two shares of all devices are noted: asked so far and in use. Column N of a result is the mean of "in use" over the pods
 * at which "asked so far" rounds to N percent.
 *
 * <p>Every run has a pool, policy and generator of its own, so that seeds may run on several threads; immutable itself.
 */
public final class InflationExperiment {
    /** The greatest load, as a multiple of the cluster's devices. */
    public static final int INFLATE_MAX = 100;

    /** What is told of the progress of one run. */
    public static final int STEPS_PER_RUN = 100;

    private static final int PERCENT = 100;
    private static final long DECISION_NANOS_MAX = 60_000_000_000L;

    private final OpenbCluster cluster;
    private final boolean ledger;
    private final List<OpenbPod> pods;
    private final double inflate;
    private final LongFunction<RandomGenerator> random;
    private final LongSupplier nanos;

    /**
     * Over one cluster and trace.
     *
     * @param inflate the demand that arrives in all, as a multiple of the cluster's devices; 1.3 as published
     * @param random a fresh generator for a seed
     * @param nanos a clock for the decision times
     */
    public InflationExperiment(
            List<OpenbNode> nodes,
            List<OpenbPod> pods,
            double inflate,
            LongFunction<RandomGenerator> random,
            LongSupplier nanos) {
        if (!(inflate > 0 && inflate <= INFLATE_MAX)) {
            String expected = "more than 0, at most " + INFLATE_MAX;
            throw new IllegalArgumentException(Names.message("inflate", Double.toString(inflate), expected));
        }
        this.cluster = new OpenbCluster(nodes);
        this.ledger = false;
        this.pods = List.copyOf(pods);
        this.inflate = inflate;
        this.random = random;
        this.nanos = nanos;
    }

    private InflationExperiment(InflationExperiment same, boolean ledger) {
        this.cluster = same.cluster;
        this.ledger = ledger;
        this.pods = same.pods;
        this.inflate = same.inflate;
        this.random = same.random;
        this.nanos = same.nanos;
    }

    /**
     * The same experiment, each run of which commits every place to a ledger that the state machine core keeps, and compares both at the end. A
     * conflict ends the run with an exception.
     */
    public InflationExperiment withLedger() {
        return new InflationExperiment(this, true);
    }

    /**
     * Runs all seeds on that executor ({@code Runnable::run}: one after the other, here) and waits for them.
     *
     * @param progress told of each finished percent of each run, {@value #STEPS_PER_RUN} in all
     */
    public PolicyResult run(String name, PolicyFactory policy, List<Long> seeds, Executor executor, Progress progress) {
        Histogram decisions = new ConcurrentHistogram(DECISION_NANOS_MAX, 3);
        List<CompletableFuture<SeedRun>> running = seeds.stream()
                .map(seed ->
                        CompletableFuture.supplyAsync(() -> new Run(policy, seed, decisions, progress).run(), executor))
                .toList();
        List<SeedRun> runs = running.stream().map(InflationExperiment::result).toList();
        return new PolicyResult(
                name, runs, decisions.getValueAtPercentile(50) / 1000.0, decisions.getValueAtPercentile(99) / 1000.0);
    }

    private static SeedRun result(CompletableFuture<SeedRun> running) {
        try {
            return running.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof ClusterRefusal refused ? refused : failed;
        }
    }

    /** One seed. One thread. */
    private final class Run {
        private final long seed;
        private final Histogram decisions;
        private final Progress progress;
        private final List<OpenbPod> arrivals;
        private final Pool pool = cluster.pool();
        private final Policy policy;
        private final Placer placer;
        private final Optional<PodLedger> books =
                ledger ? Optional.of(new PodLedger(cluster.nodes())) : Optional.empty();
        private final Map<OpenbPod, Shape> shapes = new HashMap<>();

        Run(PolicyFactory factory, long seed, Histogram decisions, Progress progress) {
            this.seed = seed;
            this.decisions = decisions;
            this.progress = progress;
            RandomGenerator generator = random.apply(seed);
            arrivals = Arrivals.of(pods, inflate * cluster.gpuMilli(), generator);
            policy = factory.create(pool, generator);
            placer = new Placer(pool, policy);
        }

        SeedRun run() {
            Columns columns = new Columns();
            long asked = 0;
            long used = 0;
            int placed = 0;
            for (int i = 0; i < arrivals.size(); i++) {
                OpenbPod pod = arrivals.get(i);
                asked += pod.totalGpuMilli();
                if (place(pod)) {
                    used += pod.totalGpuMilli();
                    placed++;
                }
                columns.note(percent(asked), percent(used));
                tell(i + 1);
            }
            books.ifPresent(all -> all.check(pool));
            return new SeedRun(seed, arrivals.size(), placed, columns.means());
        }

        private boolean place(OpenbPod pod) {
            Shape shape = shapes.computeIfAbsent(pod, OpenbPod::shape);
            long begun = nanos.getAsLong();
            policy.observe(shape);
            Optional<Place> place = placer.best(shape);
            place.ifPresent(found -> pool.take(found.node(), found.fit()));
            decisions.recordValue(Math.min(DECISION_NANOS_MAX, Math.max(0, nanos.getAsLong() - begun)));
            place.ifPresent(found -> books.ifPresent(all -> all.placed(pod, pool.node(found.node()), found.fit())));
            return place.isPresent();
        }

        private double percent(long milli) {
            return (double) PERCENT * milli / cluster.gpuMilli();
        }

        private void tell(int arrived) {
            long before = (long) STEPS_PER_RUN * (arrived - 1) / arrivals.size();
            long now = (long) STEPS_PER_RUN * arrived / arrivals.size();
            if (now > before) {
                progress.done(now - before);
            }
        }
    }

    /** Means by rounded percent. */
    private static final class Columns {
        private final List<Double> sums = new ArrayList<>();
        private final List<Integer> counts = new ArrayList<>();

        void note(double arrivedPercent, double usedPercent) {
            int column = (int) Math.round(arrivedPercent);
            if (column >= sums.size()) {
                int missing = column + 1 - sums.size();
                sums.addAll(Collections.nCopies(missing, 0.0));
                counts.addAll(Collections.nCopies(missing, 0));
            }
            sums.set(column, sums.get(column) + usedPercent);
            counts.set(column, counts.get(column) + 1);
        }

        List<Double> means() {
            List<Double> means = new ArrayList<>();
            for (int i = 0; i < sums.size(); i++) {
                means.add(counts.get(i) == 0 ? Double.NaN : sums.get(i) / counts.get(i));
            }
            return means;
        }
    }
}
