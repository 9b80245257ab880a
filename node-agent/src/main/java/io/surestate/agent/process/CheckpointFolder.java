package io.surestate.agent.process;

import io.surestate.api.Limits;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Where one member of a gang publishes its checkpoints: entries named by their step.
 *
 * @param path absolute; shared by all attempts of the member
 */
record CheckpointFolder(Path path) {
    private static final int DIGITS_MAX = 18;

    /** Greatest published step; 0 = none. Looks at a bounded number of entries. */
    long newestStep() throws IOException {
        return steps().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /**
     * Makes the folder and puts every step beyond the committed one aside: they belong to attempts that are over, and would
     * pass for this attempt's.
     */
    void prepare(long resumeStep, int attempt) throws IOException {
        Files.createDirectories(path);
        for (long step : steps()) {
            if (step > resumeStep) {
                Files.move(
                        path.resolve(Long.toString(step)),
                        path.resolve(".stale-" + step + "-before-attempt-" + attempt),
                        StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private List<Long> steps() throws IOException {
        List<Long> steps = new ArrayList<>();
        if (!Files.isDirectory(path)) {
            return steps;
        }
        int seen = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            for (Path entry : entries) {
                if (++seen > Limits.CHECKPOINT_ENTRIES_MAX) {
                    break;
                }
                long step = step(entry.getFileName().toString());
                if (step > 0) {
                    steps.add(step);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return steps;
    }

    /** Only the plain form counts: {@code 007} is not step 7. */
    private static long step(String name) {
        if (name.isEmpty() || name.length() > DIGITS_MAX || name.charAt(0) == '0') {
            return 0;
        }
        return name.chars().allMatch(c -> c >= '0' && c <= '9') ? Long.parseLong(name) : 0;
    }
}
