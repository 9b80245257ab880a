package io.surestate.scheduler.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Domain;
import io.surestate.scheduler.fabric.Fabric;
import io.surestate.scheduler.policy.Policies;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Placer;
import io.surestate.scheduler.pool.Pool;
import io.surestate.scheduler.pool.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Two halls of two racks of three nodes of eight GPUs: h0/r0: n00-n02, h0/r1: n03-n05, h1/r0: n06-n08, h1/r1: n09-n11. */
final class Site {
    static final Shape WHOLE_NODE = gpus(8);
    final List<NodeRow> rows = new ArrayList<>();
    final List<List<Domain>> paths = new ArrayList<>();

    {
        for (int i = 0; i < 12; i++) {
            NodeRow.Builder row =
                    NodeRow.builder("n" + i / 10 + i % 10).flatCpu(64_000).memory(1 << 20);
            for (int gpu = 0; gpu < 8; gpu++) {
                row.device(gpu, DeviceKind.DEVICE_KIND_GPU, "B200", 1000);
            }
            rows.add(row.build());
            paths.add(List.of(domain("hall", "h" + i / 6), domain("rack", "r" + i / 3 % 2)));
        }
    }

    final Pool pool = new Pool(rows);
    final Fabric fabric = Fabric.of(paths);
    final Placer placer =
            new Placer(pool, new Policies().named("bestfit").orElseThrow().create(pool, new SplittableRandom(1)));

    GangResult place(GangAsk gang) {
        return new GangSearch(pool, placer, fabric).place(gang);
    }

    /** Occupies whole nodes. */
    void fill(int... nodes) {
        for (int node : nodes) {
            pool.take(node, placer.on(WHOLE_NODE, node).orElseThrow().fit());
        }
    }

    List<String> nodes(GangResult result) {
        assertThat(result).isInstanceOf(GangResult.Placed.class);
        return ((GangResult.Placed) result)
                .tasks().stream()
                        .map(task -> pool.node(task.place().node()).name())
                        .toList();
    }

    long freeMilli() {
        return rows.stream().mapToLong(NodeRow::devicesFreeMilli).sum();
    }

    static Shape gpus(int count) {
        return new Shape(1_000, 1, List.of(new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, List.of(), count, 1_000)));
    }

    private static Domain domain(String level, String name) {
        return Domain.newBuilder().setLevel(level).setName(name).build();
    }
}
