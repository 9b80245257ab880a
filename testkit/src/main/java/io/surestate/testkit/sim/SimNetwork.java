package io.surestate.testkit.sim;

import io.surestate.testkit.log.Network;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Who hears whom, and how long it takes. Messages between servers are lost one by one; what is a stream breaks as a whole. One thread. */
final class SimNetwork implements Network {
    private static final long LOST_AFTER_MILLIS = 1_000;
    private static final int SLOW_ONE_IN = 60;

    private final EventQueue events;
    private final Random random;
    private final int lossPerMille;
    private final Set<String> cut = new TreeSet<>();
    private boolean quiet;

    SimNetwork(EventQueue events, Random random, int lossPerMille) {
        this.events = events;
        this.random = random;
        this.lossPerMille = lossPerMille;
    }

    /** Nothing is lost from now on. */
    void heal() {
        quiet = true;
        cut.clear();
    }

    void cut(String one, String other) {
        cut.add(pair(one, other));
    }

    void join(String one, String other) {
        cut.remove(pair(one, other));
    }

    private static String pair(String one, String other) {
        return one.compareTo(other) < 0 ? one + "|" + other : other + "|" + one;
    }

    @Override
    public boolean connected(String one, String other) {
        return !cut.contains(pair(one, other));
    }

    /** Whether a message sent now arrives. */
    boolean passes(String from, String to) {
        return connected(from, to) && (quiet || random.nextInt(1_000) >= lossPerMille);
    }

    long delayMillis() {
        return !quiet && random.nextInt(SLOW_ONE_IN) == 0 ? 50 + random.nextInt(400) : 1 + random.nextInt(8);
    }

    @Override
    public void send(String from, String to, Runnable arrival, Runnable lost) {
        if (passes(from, to)) {
            events.after(delayMillis(), "", arrival);
        } else {
            events.after(LOST_AFTER_MILLIS, "", lost);
        }
    }
}
