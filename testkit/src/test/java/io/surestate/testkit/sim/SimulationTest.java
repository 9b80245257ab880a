package io.surestate.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which seeds: see {@link Seeds}. A failing seed belongs into {@code regression-seeds.txt}. */
class SimulationTest {
    private static final int ELASTIC_SEEDS = Integer.getInteger("elasticSeeds", 30);

    @TempDir
    private Path folder;

    static LongStream seeds() {
        return Seeds.asked();
    }

    static LongStream regressionSeeds() {
        return Seeds.regressions();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everythingHoldsUnderFaultsAndComesToAnEnd(long seed) {
        Simulation.Report report = Seeds.run(seed, folder);
        assertThat(report.revisions()).isGreaterThan(report.jobs());
        assertThat(report.starts()).isPositive();
    }

    @ParameterizedTest
    @MethodSource("regressionSeeds")
    void seedsThatFailedOnceStayGood(long seed) {
        assertThat(Seeds.run(seed, folder).revisions()).isPositive();
    }

    @Test
    void aSeedReplaysEventByEvent() {
        Simulation.Report first = Seeds.run(3, folder);
        assertThat(Seeds.run(3, folder)).isEqualTo(first);
        assertThat(Seeds.run(4, folder).traceHash()).isNotEqualTo(first.traceHash());
    }

    @Test
    void everyKindOfFaultHappensWithinAFewSeeds() {
        Set<String> seen = new TreeSet<>();
        LongStream.rangeClosed(1, 16)
                .forEach(seed -> seen.addAll(Seeds.run(seed, folder).counted().keySet()));
        assertThat(seen)
                .contains(
                        "crash",
                        "crash-all",
                        "crash-at-SNAPSHOT_WRITTEN",
                        "elected",
                        "cut",
                        "cut-one-way",
                        "freeze-server",
                        "unsynced-lost",
                        "repeated",
                        "wall-jump",
                        "install",
                        "snapshot",
                        "kill-agent",
                        "kill-keeper",
                        "freeze-agent",
                        "freeze-keeper",
                        "freeze-machine",
                        "power-off",
                        "slow",
                        "keeper-kill",
                        "lost",
                        "request-expired",
                        "cancel",
                        "force-cancel",
                        "copy-on",
                        "device-health",
                        "devices",
                        "fenced",
                        "freeze-cluster",
                        "cordoned",
                        "drained",
                        "uncordoned",
                        "gang-moved",
                        "unfreeze-cluster",
                        "seal",
                        "acknowledge",
                        "gang-BOUND",
                        "gang-HELD",
                        "gang-NOMINATED",
                        "conflict-TAKEN",
                        "conflict-JOB",
                        "hold-confirmed",
                        "hold-released",
                        "let-go",
                        "watch",
                        "watch-COMPACTED");
    }

    @Test
    void gangsGrowShrinkAndMoveToSparePlacesUnderFaults() {
        Set<String> seen = new TreeSet<>();
        LongStream.rangeClosed(1, ELASTIC_SEEDS)
                .mapToObj(seed -> SimSettings.of(seed).withElasticGangs())
                .forEach(settings ->
                        seen.addAll(Seeds.run(settings, folder).counted().keySet()));
        assertThat(seen).contains("resize", "gang-grew", "task-left", "task-swapped");
    }

    @Test
    void holdsEndWithinTwoSecondsHoweverOftenLeadersChangeAndClocksAreSet() {
        Map<String, Integer> seen = new TreeMap<>();
        LongStream.rangeClosed(1, 12)
                .mapToObj(seed -> SimSettings.of(seed).withElectionsOnly(700))
                .forEach(settings -> Seeds.run(settings, folder)
                        .counted()
                        .forEach((what, times) -> seen.merge(what, times, Integer::sum)));
        assertThat(seen).containsKeys("hold-expired");
        assertThat(seen.get("elected")).isGreaterThan(300);
        assertThat(seen.get("wall-jump")).isGreaterThan(100);
    }

    @Test
    void seedsAreNamedByCountByRangeOrOneByOne() {
        assertThat(Seeds.parse("")).hasSize(200).startsWith(1L);
        assertThat(Seeds.parse("3")).containsExactly(1L, 2L, 3L);
        assertThat(Seeds.parse("7-8")).containsExactly(7L, 8L);
    }
}
