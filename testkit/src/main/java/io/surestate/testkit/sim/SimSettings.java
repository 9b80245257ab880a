package io.surestate.testkit.sim;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * What one seed plays: sizes and how much goes wrong.
 *
 * @param pollMillis between looks of an agent
 * @param faultMillis how long things go wrong
 * @param healMillis within which everything must be over after that
 * @param faultEveryMillis mean time between faults
 * @param lossPerMille of messages
 * @param repeatedPerMille of messages that arrive twice
 * @param clockPartsPerMillion by which machines' clocks run fast or slow at most
 * @param snapshotEveryMillis mean time between snapshots of a server
 * @param entriesKept log entries before a snapshot that are kept for those behind
 * @param copies machines with a copied disk come up beside the original ones. Nothing that a copy says is proof about the original, so
 *     such runs have no tasks that outlive their lease
 * @param onDisk keep states in RocksDB
 * @param devicesPerAgent accelerators of each machine
 * @param schedulers outside of the cluster; with any of them there is an operator who fences and freezes
 * @param watchers that follow everything
 * @param electionsOnly nothing fails but that leaders change and wall clocks are set
 * @param elastic many jobs have groups that grow and shrink, or spare places
 */
public record SimSettings(
        long seed,
        int servers,
        int agents,
        int coresPerAgent,
        int jobs,
        long leaseMillis,
        long heartbeatMillis,
        long pollMillis,
        long faultMillis,
        long healMillis,
        long faultEveryMillis,
        int lossPerMille,
        int repeatedPerMille,
        int clockPartsPerMillion,
        long snapshotEveryMillis,
        long entriesKept,
        boolean copies,
        boolean onDisk,
        int devicesPerAgent,
        int schedulers,
        int watchers,
        boolean electionsOnly,
        boolean elastic) {
    private static final int SERVERS_MIN = 3;
    private static final int ON_DISK_ONE_IN = 10;
    private static final int MANY_AGENTS_ONE_IN = 25;
    private static final int COPIES_ONE_IN = 6;
    private static final int CLOCK_PARTS_PER_MILLION_MAX = 10_000;

    /** Everything drawn from the seed. */
    public static SimSettings of(long seed) {
        // Neighbouring seeds of a Random begin alike.
        Random random = new Random(new SplittableRandom(seed).nextLong());
        boolean many = random.nextInt(MANY_AGENTS_ONE_IN) == 0;
        int servers = random.nextInt(4) > 0 ? SERVERS_MIN : 5 + 2 * random.nextInt(2);
        return new SimSettings(
                seed,
                servers,
                many ? 40 + random.nextInt(260) : 2 + random.nextInt(6),
                many ? 2 : 4 + random.nextInt(5),
                10 + random.nextInt(16),
                2_000 + random.nextInt(5_000),
                many ? 800 : 200 + random.nextInt(400),
                many ? 400 : 100,
                many ? 20_000 : 40_000 + random.nextInt(40_000),
                240_000,
                300 + random.nextInt(3_000),
                random.nextInt(4) == 0 ? 0 : random.nextInt(40),
                random.nextInt(3) == 0 ? 0 : random.nextInt(40),
                random.nextInt(4) == 0 ? 0 : random.nextInt(CLOCK_PARTS_PER_MILLION_MAX + 1),
                500 + random.nextInt(3_500),
                random.nextInt(25),
                random.nextInt(COPIES_ONE_IN) == 0,
                seed % ON_DISK_ONE_IN == 0 && servers == SERVERS_MIN,
                many ? 1 : 2 + random.nextInt(3),
                random.nextInt(4) == 0 ? 0 : 2,
                random.nextInt(3),
                false,
                false);
    }

    /** The same cluster and the same work, where leaders change and wall clocks are set all the time and nothing else fails. */
    SimSettings withElectionsOnly(long everyMillis) {
        return with(everyMillis, 0, 0, false, Math.max(1, schedulers), true, elastic);
    }

    /** The same cluster and faults, where many jobs are elastic or have spare places. */
    SimSettings withElasticGangs() {
        return with(faultEveryMillis, lossPerMille, repeatedPerMille, copies, schedulers, electionsOnly, true);
    }

    private SimSettings with(
            long otherFaultEveryMillis,
            int otherLossPerMille,
            int otherRepeatedPerMille,
            boolean otherCopies,
            int otherSchedulers,
            boolean otherElectionsOnly,
            boolean otherElastic) {
        return new SimSettings(
                seed,
                servers,
                agents,
                coresPerAgent,
                jobs,
                leaseMillis,
                heartbeatMillis,
                pollMillis,
                faultMillis,
                healMillis,
                otherFaultEveryMillis,
                otherLossPerMille,
                otherRepeatedPerMille,
                clockPartsPerMillion,
                snapshotEveryMillis,
                entriesKept,
                otherCopies,
                onDisk,
                devicesPerAgent,
                otherSchedulers,
                watchers,
                otherElectionsOnly,
                otherElastic);
    }
}
