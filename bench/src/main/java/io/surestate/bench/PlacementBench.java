package io.surestate.bench;

import io.surestate.api.v1.DeviceKind;
import io.surestate.scheduler.policy.Policies;
import io.surestate.scheduler.policy.Policy;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Place;
import io.surestate.scheduler.pool.Placer;
import io.surestate.scheduler.pool.Pool;
import io.surestate.scheduler.pool.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One decision for one task (filter, score, devices and cores) and taking its place, on nodes of 128 named cores and 8 devices, of which 70
 * of 100 are in use; before each decision one task leaves, untimed. 100 shapes, few of them frequent and most rare. Run with
 * {@code -prof gc} for the bytes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx2g"})
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class PlacementBench {
    private static final int SHAPES = 100;
    private static final int CORES = 128;
    private static final int DEVICES = 8;
    private static final long GIB = 1L << 30;
    private static final double FULL = 0.7;
    private static final int[] SHARES = {1000, 1000, 1000, 500, 250, 810, 470, 320};
    private static final int[] COUNTS = {1, 1, 1, 1, 2, 4, 8};
    private static final String[] MODELS = {"a100", "h100"};

    @Param({"1000", "10000", "50000"})
    private int nodes;

    @Param({"surestate"})
    private String policy = "";

    private final SplittableRandom random = new SplittableRandom(7);
    private final List<Shape> shapes = new ArrayList<>();
    private final List<Place> placed = new ArrayList<>();
    private Pool pool = new Pool(List.of());
    private Policy chosen = new Policies().named("bestfit").orElseThrow().create(pool, random);
    private Placer placer = new Placer(pool, chosen);
    private long usedMilli;
    private Shape next = new Shape(0, 0, List.of());

    @Setup(Level.Trial)
    public void fill() {
        List<NodeRow> rows = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            NodeRow.Builder row = NodeRow.builder(String.format("node-%05d", i)).memory(1024 * GIB);
            for (int core = 0; core < CORES; core++) {
                row.core(core, 1000);
            }
            for (int ordinal = 0; ordinal < DEVICES; ordinal++) {
                row.device(ordinal, DeviceKind.DEVICE_KIND_GPU, MODELS[i % MODELS.length], 1000);
            }
            rows.add(row.build());
        }
        pool = new Pool(rows);
        chosen = new Policies().named(policy).orElseThrow().create(pool, random);
        placer = new Placer(pool, chosen);
        for (int i = 0; i < SHAPES; i++) {
            shapes.add(shape());
        }
        while (usedMilli < FULL * nodes * DEVICES * 1000) {
            next = draw();
            decide();
        }
        // What was placed first leaves first otherwise, and whole nodes with it.
        while (placed.size() > 1 && usedMilli > FULL * nodes * DEVICES * 1000) {
            leave();
        }
    }

    private Shape shape() {
        int count = COUNTS[random.nextInt(COUNTS.length)];
        int milli = count > 1 ? 1000 : SHARES[random.nextInt(SHARES.length)];
        long cores = 1 + random.nextInt(14) * (long) count;
        List<String> models = random.nextInt(10) == 0 ? List.of(MODELS[0]) : List.of();
        DeviceAsk ask = new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, models, count, milli);
        return new Shape(cores * 1000 + (random.nextInt(4) == 0 ? 500 : 0), cores * 4 * GIB, List.of(ask));
    }

    /** The n-th shape comes with a chance of 1/n to that of the first. */
    private Shape draw() {
        return shapes.get((int) Math.min(SHAPES - 1, Math.pow(SHAPES + 1, random.nextDouble()) - 1));
    }

    private void leave() {
        int gone = random.nextInt(placed.size());
        Place place = placed.get(gone);
        placed.set(gone, placed.get(placed.size() - 1));
        placed.remove(placed.size() - 1);
        pool.release(place.node(), place.fit());
        usedMilli -= milli(place);
    }

    private static long milli(Place place) {
        long sum = 0;
        for (int i = 0; i < place.fit().deviceCount(); i++) {
            sum += place.fit().deviceMilli(i);
        }
        return sum;
    }

    @Setup(Level.Invocation)
    public void makeRoom() {
        while (usedMilli > FULL * nodes * DEVICES * 1000) {
            leave();
        }
        next = draw();
    }

    @Benchmark
    public Optional<Place> decide() {
        chosen.observe(next);
        Optional<Place> place = placer.best(next);
        if (place.isPresent()) {
            pool.take(place.get().node(), place.get().fit());
            placed.add(place.get());
            usedMilli += milli(place.get());
        }
        return place;
    }
}
