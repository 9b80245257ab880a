package io.surestate.scheduler.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.scheduler.policy.Policies;
import io.surestate.scheduler.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RankingPropertiesTest {
    @Provide
    Arbitrary<List<NodeRow>> nodes() {
        return Cluster.nodes();
    }

    @Provide
    Arbitrary<List<Cluster.Step>> steps() {
        return Cluster.steps();
    }

    @Provide
    Arbitrary<String> policies() {
        return Arbitraries.of(new Policies().names());
    }

    /** The same policy, with every score computed anew. */
    private record Forgetful(Policy policy) implements Policy {
        @Override
        public String name() {
            return policy.name();
        }

        @Override
        public double score(Shape shape, NodeRow node, DeviceChoice choice) {
            return policy.score(shape, node, choice);
        }

        @Override
        public void observe(Shape shape) {
            policy.observe(shape);
        }

        @Override
        public boolean cacheable() {
            return false;
        }
    }

    private static Policy policy(String name, Pool pool) {
        return new Policies().named(name).orElseThrow().create(pool, new Random(5));
    }

    @Property(tries = 600)
    void theCachedRankingChoosesWhatAFullScanChooses(
            @ForAll("nodes") List<NodeRow> rows,
            @ForAll("steps") List<Cluster.Step> steps,
            @ForAll("policies") String name) {
        Pool pool = new Pool(rows);
        Policy cached = policy(name, pool);
        Policy naive = new Forgetful(policy(name, pool));
        Placer placer = new Placer(pool, cached);
        Placer scanner = new Placer(pool, naive);
        List<Place> placed = new ArrayList<>();
        for (Cluster.Step step : steps) {
            if (step.arrives()) {
                cached.observe(step.shape());
                naive.observe(step.shape());
                Optional<Place> place = placer.best(step.shape());
                assertThat(place).isEqualTo(scanner.best(step.shape()));
                place.ifPresent(found -> pool.take(found.node(), found.fit()));
                place.ifPresent(placed::add);
            } else if (!placed.isEmpty()) {
                Place gone = placed.remove(step.turn() % placed.size());
                pool.release(gone.node(), gone.fit());
            }
        }
    }

    @Property(tries = 200)
    void theBestOfSomeNodesIsTheBestOfThoseAlone(
            @ForAll("nodes") List<NodeRow> rows, @ForAll("steps") List<Cluster.Step> steps) {
        Pool pool = new Pool(rows);
        Policy policy = policy("surestate", pool);
        Placer placer = new Placer(pool, policy);
        Placer scanner = new Placer(pool, new Forgetful(policy));
        for (Cluster.Step step : steps) {
            policy.observe(step.shape());
            NodeSet within = NodeSet.range(step.turn() % rows.size(), rows.size());
            Optional<Place> place = placer.best(step.shape(), within);
            assertThat(place).isEqualTo(scanner.best(step.shape(), within));
            place.ifPresent(found -> assertThat(within.contains(found.node())).isTrue());
            placer.best(step.shape()).ifPresent(found -> pool.take(found.node(), found.fit()));
        }
    }

    @Property(tries = 100)
    void sameSeedSamePlaces(
            @ForAll("nodes") List<NodeRow> rows,
            @ForAll("steps") List<Cluster.Step> steps,
            @ForAll("policies") String name) {
        assertThat(places(rows, steps, name)).isEqualTo(places(rows, steps, name));
    }

    private static List<Optional<Place>> places(List<NodeRow> rows, List<Cluster.Step> steps, String name) {
        Pool pool = new Pool(rows);
        Policy policy = policy(name, pool);
        Placer placer = new Placer(pool, policy);
        List<Optional<Place>> places = new ArrayList<>();
        for (Cluster.Step step : steps) {
            policy.observe(step.shape());
            Optional<Place> place = placer.best(step.shape());
            place.ifPresent(found -> pool.take(found.node(), found.fit()));
            places.add(place);
        }
        for (int i = places.size() - 1; i >= 0; i--) {
            places.get(i).ifPresent(found -> pool.release(found.node(), found.fit()));
        }
        return places;
    }
}
