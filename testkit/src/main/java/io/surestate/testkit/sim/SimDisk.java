package io.surestate.testkit.sim;

import io.surestate.testkit.log.Disk;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** The servers' disks: forcing takes its time, and what a crash leaves of the rest is chance. One thread. */
final class SimDisk implements Disk {
    private static final int SLOW_ONE_IN = 15;
    private static final int SLOW_MILLIS_MAX = 400;
    private static final int STALLED_MILLIS_MIN = 1_000;

    private final EventQueue events;
    private final Random random;
    private final SimNetwork network;
    private final Set<String> stalled = new TreeSet<>();

    SimDisk(EventQueue events, Random random, SimNetwork network) {
        this.events = events;
        this.random = random;
        this.network = network;
    }

    /** From now on forcing takes seconds. */
    void stall(String member) {
        stalled.add(member);
    }

    void unstall(String member) {
        stalled.remove(member);
    }

    @Override
    public void force(String member, Runnable done) {
        long millis = stalled.contains(member) ? STALLED_MILLIS_MIN + random.nextInt(STALLED_MILLIS_MIN) : usual();
        events.after(millis, "", () -> network.at(member, done));
    }

    private long usual() {
        return random.nextInt(SLOW_ONE_IN) == 0 ? random.nextInt(SLOW_MILLIS_MAX) : random.nextInt(8);
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
