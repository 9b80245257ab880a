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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One gang of 128 tasks with eight devices each, all in one supernode, on nodes of 8 devices in supernodes of 144: 70 of 100 devices are in use,
 * some supernodes nearly empty, most nearly full. Search, devices, named cores and taking the places; giving them back is not timed, and
 * between two gangs a task of another shape comes or goes somewhere.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx2g"})
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class GangBench {
    private static final int NODES_PER_SUPERNODE = 144;
    private static final int GANG = 128;
    private static final int DEVICES = 8;
    private static final int CORES = 128;
    private static final Shape WHOLE_NODE =
            new Shape(64_000, 1L << 30, List.of(new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, List.of(), DEVICES, 1_000)));
    private static final Shape ONE =
            new Shape(4_000, 1L << 30, List.of(new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, List.of(), 1, 1_000)));
    private static final Topology ONE_SUPERNODE =
            Topology.newBuilder().setPack("supernode").setRequired(true).build();
    private static final GangAsk ASK = new GangAsk(
            List.of(new GroupAsk("w", WHOLE_NODE, GANG, ONE_SUPERNODE)),
            Topology.getDefaultInstance(),
            Arrangement.NEAR);

    @Param({"1000", "10000", "50000"})
    private int nodes;

    private Pool pool = new Pool(List.of());
    private Placer placer =
            new Placer(pool, new Policies().named("bestfit").orElseThrow().create(pool, new SplittableRandom(1)));
    private GangSearch search = new GangSearch(pool, placer, Fabric.of(List.of()));
    private List<TaskPlace> placed = List.of();

    /** Fills supernodes to between nothing and all, 70 of 100 on the whole. */
    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(3);
        List<NodeRow> rows = new ArrayList<>();
        List<List<Domain>> paths = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            int supernode = node / NODES_PER_SUPERNODE;
            int fullIn100 = supernode % 8 == 0 ? 2 : 80;
            NodeRow.Builder row =
                    NodeRow.builder(String.format(Locale.ROOT, "n%06d", node)).memory(1L << 40);
            for (int core = 0; core < CORES; core++) {
                row.core(core, 1_000, core / 64);
            }
            boolean empty = supernode % 8 == 0 && random.nextInt(100) >= 6;
            for (int device = 0; device < DEVICES; device++) {
                boolean used = !empty && random.nextInt(100) < fullIn100;
                row.device(device, DeviceKind.DEVICE_KIND_GPU, "B200", used ? 0 : 1_000);
            }
            rows.add(row.build());
            paths.add(List.of(
                    Domain.newBuilder()
                            .setLevel("hall")
                            .setName("h" + supernode / 16)
                            .build(),
                    Domain.newBuilder()
                            .setLevel("supernode")
                            .setName("s" + supernode)
                            .build()));
        }
        pool = new Pool(rows);
        placer =
                new Placer(pool, new Policies().named("surestate").orElseThrow().create(pool, new SplittableRandom(1)));
        search = new GangSearch(pool, placer, Fabric.of(paths));
    }

    /** Gives the gang's places back, and lets something change elsewhere. */
    @TearDown(Level.Invocation)
    public void leave() {
        placed.forEach(task -> pool.release(task.place().node(), task.place().fit()));
        placer.best(ONE).ifPresent(place -> {
            pool.take(place.node(), place.fit());
            pool.release(place.node(), place.fit());
        });
    }

    /** The places, so that nothing is left out; fails where none are found. */
    @Benchmark
    public List<TaskPlace> gang() {
        if (search.place(ASK) instanceof GangResult.Placed found) {
            placed = found.tasks();
            return placed;
        }
        throw new IllegalStateException("no room for the gang");
    }
}
