package io.surestate.testkit.sim;

import java.util.Random;

/**
 * What one seed plays: sizes and how much goes wrong.
 *
 * @param faultMillis how long things go wrong
 * @param healMillis within which everything must be over after that
 * @param faultEveryMillis mean time between faults
 * @param lossPerMille of messages
 * @param snapshotEveryMillis mean time between snapshots of a server
 * @param entriesKept log entries before a snapshot that are kept for those behind
 * @param onDisk keep states in RocksDB
 */
public record SimSettings(
        long seed,
        int agents,
        int coresPerAgent,
        int jobs,
        long leaseMillis,
        long heartbeatMillis,
        long faultMillis,
        long healMillis,
        long faultEveryMillis,
        int lossPerMille,
        long snapshotEveryMillis,
        long entriesKept,
        boolean onDisk) {
    private static final int ON_DISK_ONE_IN = 10;

    /** Everything drawn from the seed. */
    public static SimSettings of(long seed) {
        Random random = new Random(seed * 31 + 7);
        return new SimSettings(
                seed,
                2 + random.nextInt(5),
                4 + random.nextInt(5),
                10 + random.nextInt(16),
                2_000 + random.nextInt(5_000),
                200 + random.nextInt(400),
                50_000 + random.nextInt(50_000),
                240_000,
                300 + random.nextInt(3_000),
                random.nextInt(4) == 0 ? 0 : random.nextInt(40),
                500 + random.nextInt(3_500),
                random.nextInt(25),
                seed % ON_DISK_ONE_IN == 0);
    }
}
