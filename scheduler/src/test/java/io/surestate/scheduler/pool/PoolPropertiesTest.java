package io.surestate.scheduler.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.scheduler.policy.BestFitPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PoolPropertiesTest {
    @Provide
    Arbitrary<List<NodeRow>> nodes() {
        return Cluster.nodes();
    }

    @Provide
    Arbitrary<List<Cluster.Step>> steps() {
        return Cluster.steps();
    }

    private static String state(Pool pool) {
        StringBuilder state = new StringBuilder();
        for (int node = 0; node < pool.size(); node++) {
            NodeRow row = pool.node(node);
            state.append(row.cpuFreeMilli()).append(' ').append(row.memoryFreeBytes());
            for (int position = 0; position < row.deviceCount(); position++) {
                state.append(' ').append(row.deviceFreeMilli(position));
            }
            state.append('/');
        }
        return state.toString();
    }

    private static void assertWithinCapacity(Pool pool) {
        for (int node = 0; node < pool.size(); node++) {
            NodeRow row = pool.node(node);
            assertThat(row.cpuFreeMilli()).isBetween(0L, row.cpuCapacityMilli());
            assertThat(row.memoryFreeBytes()).isBetween(0L, row.memoryCapacityBytes());
            long free = 0;
            for (int position = 0; position < row.deviceCount(); position++) {
                assertThat(row.deviceFreeMilli(position)).isBetween(0, 1000);
                free += row.deviceFreeMilli(position);
            }
            assertThat(row.devicesFreeMilli()).isEqualTo(free);
        }
    }

    private static void assertObeysTheLedger(Shape shape, NodeRow row, Fit fit) {
        assertThat(fit.cpuMilli()).isEqualTo(shape.cpuMilli());
        assertThat(fit.memoryBytes()).isEqualTo(shape.memoryBytes());
        assertThat(fit.deviceCount()).isEqualTo(shape.deviceCount());
        int fractions = 0;
        for (int i = 0; i < fit.coreCount(); i++) {
            assertThat(fit.coreMilli(i)).isBetween(1, 1000);
            fractions += fit.coreMilli(i) < 1000 ? 1 : 0;
            assertThat(i == 0 || fit.coreId(i) > fit.coreId(i - 1)).isTrue();
        }
        assertThat(fractions).isLessThanOrEqualTo(1);
        List<Integer> asked = new ArrayList<>();
        shape.devices().forEach(ask -> {
            for (int i = 0; i < ask.count(); i++) {
                asked.add(ask.milli());
            }
        });
        List<Integer> given = new ArrayList<>();
        for (int i = 0; i < fit.deviceCount(); i++) {
            given.add(fit.deviceMilli(i));
            assertThat(i == 0 || fit.devicePosition(i) > fit.devicePosition(i - 1))
                    .isTrue();
        }
        assertThat(given).containsExactlyInAnyOrderElementsOf(asked);
        assertThat(row.fitOf(row.claim(fit)).deviceCount()).isEqualTo(fit.deviceCount());
    }

    @Property(tries = 300)
    void nothingGoesBelowZeroOrAboveCapacityAndAllComesBack(
            @ForAll("nodes") List<NodeRow> rows, @ForAll("steps") List<Cluster.Step> steps) {
        Pool pool = new Pool(rows);
        String before = state(pool);
        Placer placer = new Placer(pool, new BestFitPolicy());
        List<Place> placed = new ArrayList<>();
        for (Cluster.Step step : steps) {
            if (step.arrives()) {
                Optional<Place> place = placer.best(step.shape());
                place.ifPresent(found -> {
                    assertObeysTheLedger(step.shape(), pool.node(found.node()), found.fit());
                    pool.take(found.node(), found.fit());
                    placed.add(found);
                });
            } else if (!placed.isEmpty()) {
                Place gone = placed.remove(step.turn() % placed.size());
                pool.release(gone.node(), gone.fit());
            }
            assertWithinCapacity(pool);
        }
        placed.forEach(place -> pool.release(place.node(), place.fit()));
        assertThat(state(pool)).isEqualTo(before);
    }

    @Property(tries = 200)
    void takingAndReleasingIsIdentityToTheByte(
            @ForAll("nodes") List<NodeRow> rows, @ForAll("steps") List<Cluster.Step> steps) {
        Pool pool = new Pool(rows);
        Placer placer = new Placer(pool, new BestFitPolicy());
        for (Cluster.Step step : steps) {
            String before = state(pool);
            List<Place> gang = placer.placeUpTo(step.shape(), 1 + step.turn() % 3, NodeSet.range(0, pool.size()));
            placer.undo(gang);
            assertThat(state(pool)).isEqualTo(before);
            placer.placeUpTo(step.shape(), 1, NodeSet.range(0, pool.size()));
        }
    }

    @Property(tries = 200)
    void whatIsNotFreeIsRefusedAndNothingChanges(
            @ForAll("nodes") List<NodeRow> rows, @ForAll("steps") List<Cluster.Step> steps) {
        Pool pool = new Pool(rows);
        Placer placer = new Placer(pool, new BestFitPolicy());
        for (Cluster.Step step : steps) {
            Optional<Place> place = placer.best(step.shape());
            if (place.isEmpty() || step.shape().deviceMilli() == 0) {
                continue;
            }
            Fit fit = place.get().fit();
            pool.take(place.get().node(), fit);
            String taken = state(pool);
            if (fit.deviceMilli(0) > pool.node(place.get().node()).deviceFreeMilli(fit.devicePosition(0))) {
                assertThatThrownBy(() -> pool.take(place.get().node(), fit))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThat(state(pool)).isEqualTo(taken);
            }
        }
    }
}
