package io.surestate.testkit.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation finds each defect: in the ordinary tests with the seed that is pinned to it; with {@code -Dmutants} the first seed that
 * finds it is looked for and printed.
 */
class MutantTest {
    private static final long SEEDS_MAX = 1_000;

    static Stream<Mutant> mutants() {
        return Mutants.all().stream().filter(mutant -> mutant.name().contains(System.getProperty("mutant", "")));
    }

    private static Trial trial(MutantLoader loader) {
        return ServiceLoader.load(Trial.class, loader).findFirst().orElseThrow();
    }

    private static Trial trial(Mutant mutant) {
        return trial(new MutantLoader(new MutantCompiler().compile(mutant), MutantTest.class.getClassLoader()));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void isFoundByItsSeed(Mutant mutant) {
        assertThat(trial(mutant).run(mutant.seed())).isNotEmpty();
    }

    @Test
    void withoutADefectNothingIsFound() {
        MutantLoader same = new MutantLoader(Map.of(), MutantTest.class.getClassLoader());
        assertThat(trial(same).run(2)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    @EnabledIfSystemProperty(named = "mutants", matches = ".*")
    void isFoundWithinAThousandSeeds(Mutant mutant) {
        Trial trial = trial(mutant);
        String found = LongStream.rangeClosed(1, SEEDS_MAX)
                .mapToObj(seed -> seed + ": " + trial.run(seed))
                .filter(line -> !line.endsWith(": "))
                .findFirst()
                .orElse("");
        System.out.println("mutant \"" + mutant.name() + "\" is found by seed " + found);
        assertThat(found).isNotEmpty();
    }
}
