package io.surestate.sim.openb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.scheduler.policy.PolicyFactory;
import io.surestate.sim.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InflationExperimentTest {
    private static final List<Long> SEEDS = LongStream.range(1, 5).boxed().toList();

    private static final List<OpenbNode> NODES = IntStream.range(0, 6)
            .mapToObj(i -> new OpenbNode("n" + i, 32_000, 65_536, 4, i % 2 == 0 ? "a" : "b"))
            .toList();

    private static List<OpenbPod> pods(int count) {
        List<OpenbPod> pods = new ArrayList<>();
        int[] shares = {1000, 470, 320, 160};
        for (int i = 0; i < count; i++) {
            List<String> models = i % 7 == 0 ? List.of("a") : List.of();
            pods.add(
                    i % 5 == 0
                            ? new OpenbPod("p" + i, 4_000, 4_096, 0, 0, List.of())
                            : new OpenbPod("p" + i, 2_000 + i * 100, 4_096, 1, shares[i % 4], models));
        }
        return pods;
    }

    private static InflationExperiment experiment(List<OpenbPod> pods) {
        AtomicLong clock = new AtomicLong();
        return new InflationExperiment(NODES, pods, 1.3, Random::new, () -> clock.addAndGet(1_000));
    }

    private static PolicyFactory policy(String name) {
        return new OpenbPolicies(pods(30)).named(name).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "random",
                "bestfit",
                "dotprod",
                "gpu-packing",
                "gpu-clustering",
                "fgd",
                "fgd-learned",
                "surestate"
            })
    void sameSeedsSameResultOnAnyNumberOfThreads(String name) {
        List<SeedRun> alone = experiment(pods(30))
                .run(name, policy(name), SEEDS, Runnable::run, Progress.unseen())
                .runs();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            assertThat(experiment(pods(30))
                            .run(name, policy(name), SEEDS, threads, Progress.unseen())
                            .runs())
                    .isEqualTo(alone);
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"random", "fgd", "surestate"})
    void comesToTheSameWhereEachPlaceIsCommittedToTheLedger(String name) {
        PolicyResult direct = experiment(pods(30)).run(name, policy(name), SEEDS, Runnable::run, Progress.unseen());

        assertThat(experiment(pods(30))
                        .withLedger()
                        .run(name, policy(name), SEEDS, Runnable::run, Progress.unseen())
                        .runs())
                .isEqualTo(direct.runs())
                .allMatch(run -> run.placed() > 0);
    }

    @Test
    void arrivalsEndAtTheWantedLoadAndUseNeverPassesArrivals() {
        PolicyResult result =
                experiment(pods(30)).run("bestfit", policy("bestfit"), SEEDS, Runnable::run, Progress.unseen());
        for (SeedRun run : result.runs()) {
            assertThat(run.placed()).isLessThanOrEqualTo(run.arrived());
            assertThat(run.allocationPercent()).hasSizeBetween(126, 131);
            for (int percent = 0; percent < run.allocationPercent().size(); percent++) {
                double used = run.allocationPercent().get(percent);
                assertThat(Double.isNaN(used) || used <= percent + 0.5).isTrue();
            }
        }
        assertThat(result.decisionMicrosP50()).isBetween(0.9, 1.1);
    }

    @Test
    void aTraceThatAsksTooMuchLosesRandomPods() {
        List<OpenbPod> arrivals = Arrivals.of(pods(400), 1.3 * 24_000, new Random(1));
        assertThat(arrivals.stream().mapToLong(OpenbPod::totalGpuMilli).sum()).isLessThanOrEqualTo(31_200);
        assertThat(arrivals).hasSizeLessThan(400).doesNotHaveDuplicates();
    }

    @Test
    void everyPodArrivesOnceBeforeClonesDo() {
        List<OpenbPod> arrivals = Arrivals.of(pods(30), 1.3 * 24_000, new Random(1));
        assertThat(arrivals.subList(0, 30)).containsExactlyInAnyOrderElementsOf(pods(30));
        assertThat(arrivals.size()).isGreaterThan(30);
    }

    @Test
    void refusesLoadsThatAreNoneOrTooMuch() {
        for (double inflate : new double[] {0, -1, 101, Double.NaN}) {
            assertThatThrownBy(() -> new InflationExperiment(NODES, pods(3), inflate, Random::new, () -> 0))
                    .hasMessageContaining("inflate: ")
                    .hasMessageContaining("(expected: more than 0, at most 100)");
        }
        List<OpenbPod> tiny = List.of(new OpenbPod("p", 1, 1, 1, 1, List.of()));
        assertThatThrownBy(() -> Arrivals.of(tiny, 1e9, new Random(1))).hasMessageContaining("2000000 pods");
    }

    @Test
    void aClusterWithoutNodesPlacesNothing() {
        InflationExperiment empty = new InflationExperiment(List.of(), pods(3), 1.3, Random::new, () -> 0);
        PolicyResult result = empty.run("surestate", policy("surestate"), SEEDS, Runnable::run, Progress.unseen());
        assertThat(result.runs()).allMatch(run -> run.placed() == 0);
    }

    @Test
    void aTraceWithoutDevicesEnds() {
        List<OpenbPod> pods = List.of(new OpenbPod("p", 1, 1, 0, 0, List.of()));
        assertThat(Arrivals.of(pods, 1000, new Random(1))).hasSize(1);
    }

    @Test
    void tellsEachPercentOfEachRun() {
        List<Long> heard = new ArrayList<>();
        experiment(pods(30)).run("bestfit", policy("bestfit"), List.of(3L), Runnable::run, heard::add);
        assertThat(heard.stream().mapToLong(Long::longValue).sum()).isEqualTo(InflationExperiment.STEPS_PER_RUN);
    }

    @Test
    void meanAndDeviationAreTakenOverTheSeeds() {
        PolicyResult result = new PolicyResult(
                "p", List.of(new SeedRun(1, 1, 1, List.of(90.0)), new SeedRun(2, 1, 1, List.of(94.0))), 1, 1);
        assertThat(result.mean(0)).isEqualTo(92);
        assertThat(result.deviation(0)).isEqualTo(Math.sqrt(8));
        assertThat(result.curve()).containsExactly(92.0);
    }
}
