package io.surestate.testkit.sim;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * Which seeds are run, and where the trace of a failing one goes.
 *
 * <ul>
 *   <li>{@code -Dseed=17}: this one
 *   <li>{@code -Dseeds=500}: that many, from 1
 *   <li>{@code -Dseeds=1001-2000}: these
 * </ul>
 */
final class Seeds {
    private static final String SEEDS_DEFAULT = "200";
    private static final Path TRACES = Path.of("target", "sim");

    private Seeds() {}

    /** As the command line asks for. */
    static LongStream asked() {
        String one = System.getProperty("seed", "");
        return one.isEmpty() ? parse(System.getProperty("seeds", "")) : LongStream.of(Long.parseLong(one));
    }

    static LongStream parse(String text) {
        String[] range = (text.isEmpty() ? SEEDS_DEFAULT : text).split("-", 2);
        long first = Long.parseLong(range[0]);
        return range.length == 2
                ? LongStream.rangeClosed(first, Long.parseLong(range[1]))
                : LongStream.rangeClosed(1, first);
    }

    /** Those that failed once. */
    static LongStream regressions() {
        try (InputStream lines = Objects.requireNonNull(Seeds.class.getResourceAsStream("/regression-seeds.txt"))) {
            return LongStream.of(new String(lines.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .mapToLong(Long::parseLong)
                    .toArray());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Runs one in a folder of its own, and leaves a trace if it fails. */
    static Simulation.Report run(long seed, Path folder) {
        return run(SimSettings.of(seed), folder);
    }

    static Simulation.Report run(SimSettings settings, Path folder) {
        try {
            return Simulation.run(settings, Files.createTempDirectory(folder, "seed"));
        } catch (SimulationFailure failed) {
            write(
                    settings.seed(),
                    failed.getMessage() + "\n  all that is kept:\n    " + String.join("\n    ", failed.trace()));
            throw failed;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void write(long seed, String trace) {
        try {
            Files.createDirectories(TRACES);
            Path file = TRACES.resolve("seed-" + seed + ".txt");
            Files.writeString(file, trace);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
