package io.surestate.testkit.mutant;

import io.surestate.testkit.sim.SimSettings;
import io.surestate.testkit.sim.Simulation;
import io.surestate.testkit.sim.SimulationFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Runs one seed and answers with what did not hold; empty = everything did. Found as a service, so that any class loader can have its own. */
public final class SeedTrial implements Trial {
    private static final int LOOKS_MAX = 5;

    @Override
    public String run(long seed) {
        try {
            Path folder = Files.createTempDirectory("trial");
            try {
                Simulation.run(SimSettings.of(seed), folder);
                return "";
            } catch (SimulationFailure found) {
                return String.valueOf(found.getMessage()).lines().findFirst().orElse("failed");
            } finally {
                delete(folder);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A store that a simulated crash left open may still remove files of its own; each look is taken anew, a few times. */
    private static void delete(Path folder) {
        boolean gone = false;
        for (int looks = 0; !gone && looks < LOOKS_MAX; looks++) {
            gone = deleted(folder);
        }
    }

    private static boolean deleted(Path folder) {
        try (Stream<Path> found = Files.walk(folder)) {
            List<Path> all = found.sorted(Comparator.reverseOrder()).toList();
            for (Path path : all) {
                Files.deleteIfExists(path);
            }
            return true;
        } catch (IOException | UncheckedIOException changedMeanwhile) {
            return false;
        }
    }
}
