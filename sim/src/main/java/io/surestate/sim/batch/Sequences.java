package io.surestate.sim.batch;

import io.surestate.api.Names;
import java.util.List;
import java.util.stream.IntStream;

/** Parts of a log that a published experiment replays, each on an empty machine. */
public final class Sequences {
    public static final int LENGTH = 1_024;
    private static final int[] STARTS = {1981, 2756, 4299, 8850, 3316, 2714, 5228, 7762, 4022, 7085};

    private Sequences() {}

    /** How many jobs a log must have. */
    public static int jobsNeeded() {
        return IntStream.of(STARTS).max().orElseThrow() + LENGTH;
    }

    /**
     * The parts of a log.
     *
     * @throws IllegalArgumentException the log is too short
     */
    public static List<JobLog> of(JobLog log) {
        if (log.size() < jobsNeeded()) {
            throw new IllegalArgumentException(
                    Names.message("jobs of the log", Integer.toString(log.size()), "at least " + jobsNeeded()));
        }
        return IntStream.of(STARTS).mapToObj(start -> log.part(start, LENGTH)).toList();
    }
}
