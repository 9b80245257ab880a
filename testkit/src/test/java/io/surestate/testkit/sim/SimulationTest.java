package io.surestate.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** More seeds: {@code -Dsurestate.sim.seeds=FROM-TO}. A failing seed belongs into {@code regression-seeds.txt}. */
class SimulationTest {
    private static final String SEEDS_DEFAULT = "1-50";

    @TempDir
    private Path folder;

    static LongStream seeds() {
        String[] range =
                System.getProperty("surestate.sim.seeds", SEEDS_DEFAULT).split("-", 2);
        long from = Long.parseLong(range[0]);
        return LongStream.rangeClosed(from, range.length == 2 ? Long.parseLong(range[1]) : from);
    }

    static LongStream regressionSeeds() throws IOException {
        try (var lines = SimulationTest.class.getResourceAsStream("/regression-seeds.txt")) {
            return new String(lines.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                            .lines()
                            .map(line -> line.replaceFirst("#.*", "").strip())
                            .filter(line -> !line.isEmpty())
                            .mapToLong(Long::parseLong)
                            .boxed()
                            .toList()
                            .stream()
                            .mapToLong(Long::longValue);
        }
    }

    private Simulation.Report run(long seed) {
        try {
            return Simulation.run(SimSettings.of(seed), Files.createTempDirectory(folder, "seed"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everythingHoldsUnderFaultsAndComesToAnEnd(long seed) {
        Simulation.Report report = run(seed);
        assertThat(report.revisions()).isGreaterThan(report.jobs());
        assertThat(report.starts()).isPositive();
    }

    @ParameterizedTest
    @MethodSource("regressionSeeds")
    void seedsThatFailedOnceStayGood(long seed) {
        assertThat(run(seed).revisions()).isPositive();
    }

    @Test
    void aSeedReplaysEventByEvent() {
        Simulation.Report first = run(3);
        assertThat(run(3)).isEqualTo(first);
        assertThat(run(4).traceHash()).isNotEqualTo(first.traceHash());
    }

    @Test
    void everyKindOfFaultHappensWithinAFewSeeds() {
        Set<String> seen = new TreeSet<>();
        LongStream.rangeClosed(1, 6)
                .forEach(seed -> seen.addAll(run(seed).counted().keySet()));
        assertThat(seen)
                .contains(
                        "crash",
                        "elected",
                        "cut",
                        "install",
                        "snapshot",
                        "kill-agent",
                        "power-off",
                        "freeze",
                        "slow",
                        "keeper-kill",
                        "cancel");
    }
}
