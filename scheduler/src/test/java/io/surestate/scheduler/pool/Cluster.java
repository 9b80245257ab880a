package io.surestate.scheduler.pool;

import io.surestate.api.v1.DeviceKind;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Small clusters, shapes and steps for properties. */
final class Cluster {
    static final long GIB = 1L << 30;

    private Cluster() {}

    /** What happens next: a task of some shape arrives, or the one placed at some turn goes. */
    record Step(boolean arrives, Shape shape, int turn) {}

    static NodeRow node(String name, boolean exact, int cores, int gibibytes, int gpus, String model) {
        NodeRow.Builder row = NodeRow.builder(name).epoch(7).memory(gibibytes * GIB);
        if (exact) {
            for (int core = 0; core < cores; core++) {
                row.core(core, 1000);
            }
        } else {
            row.flatCpu(cores * 1000L);
        }
        for (int ordinal = 0; ordinal < gpus; ordinal++) {
            row.device(ordinal, DeviceKind.DEVICE_KIND_GPU, ordinal == 7 ? "other" : model, 1000);
        }
        return row.build();
    }

    static Arbitrary<List<NodeRow>> nodes() {
        Arbitrary<NodeRow> node = Combinators.combine(
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(0, 12),
                        Arbitraries.integers().between(0, 64),
                        Arbitraries.integers().between(0, 8),
                        Arbitraries.of("a", "b"))
                .as((exact, cores, memory, gpus, model) -> node("x", exact, cores, memory, gpus, model));
        return node.list().ofMinSize(1).ofMaxSize(9).map(Cluster::named);
    }

    private static List<NodeRow> named(List<NodeRow> rows) {
        List<NodeRow> named = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            NodeRow row = rows.get(i);
            boolean exact = row.fit(new Shape(1, 0, List.of()), new DeviceChoice())
                    .map(fit -> fit.coreCount() > 0)
                    .orElse(false);
            String model = row.deviceCount() == 0 ? "a" : row.deviceClass(0).model();
            named.add(node(
                    "n" + i,
                    exact,
                    (int) (row.cpuCapacityMilli() / 1000),
                    (int) (row.memoryCapacityBytes() / GIB),
                    row.deviceCount(),
                    model));
        }
        return named;
    }

    static Arbitrary<Shape> shapes() {
        Arbitrary<DeviceAsk> ask = Combinators.combine(
                        Arbitraries.of(List.<String>of(), List.of("a"), List.of("a", "b")),
                        Arbitraries.of(1, 1, 1, 2, 3),
                        Arbitraries.of(1000, 500, 320, 200))
                .as((models, count, milli) -> new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, models, count, milli));
        return Combinators.combine(
                        Arbitraries.of(0L, 500L, 1000L, 1300L, 3000L),
                        Arbitraries.of(0L, GIB, 4 * GIB),
                        ask.list().ofMaxSize(2))
                .as(Shape::new);
    }

    static Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.of(true, true, false),
                        shapes(),
                        Arbitraries.integers().between(0, 40))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(40);
    }
}
