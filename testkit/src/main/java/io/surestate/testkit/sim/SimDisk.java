package io.surestate.testkit.sim;

import io.surestate.testkit.log.Disk;
import java.util.Random;

/** The servers' disks: forcing takes its time, and what a crash leaves of the rest is chance. One thread. */
final class SimDisk implements Disk {
    private static final int SLOW_ONE_IN = 15;
    private static final int SLOW_MILLIS_MAX = 400;

    private final EventQueue events;
    private final Random random;
    private final SimNetwork network;

    SimDisk(EventQueue events, Random random, SimNetwork network) {
        this.events = events;
        this.random = random;
        this.network = network;
    }

    @Override
    public void force(String member, Runnable done) {
        long millis = random.nextInt(SLOW_ONE_IN) == 0 ? random.nextInt(SLOW_MILLIS_MAX) : random.nextInt(8);
        events.after(millis, "", () -> network.at(member, done));
    }

    @Override
    public long kept(long unforced) {
        long kept = unforced == 0 ? 0 : random.nextLong(unforced + 1);
        if (kept < unforced) {
            events.count("unsynced-lost");
        }
        return kept;
    }
}
