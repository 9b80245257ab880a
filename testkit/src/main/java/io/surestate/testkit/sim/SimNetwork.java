package io.surestate.testkit.sim;

import io.surestate.testkit.log.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who hears whom, and how long it takes. Messages between servers are lost, overtaken and repeated one by one; what is a stream breaks as
 * a whole. What arrives at a frozen process waits there. One thread.
 */
final class SimNetwork implements Network {
    private static final long LOST_AFTER_MILLIS = 1_000;
    private static final int SLOW_ONE_IN = 60;
    private static final int WOKEN_WITHIN_MILLIS = 5;

    private final EventQueue events;
    private final Random random;
    private final int lossPerMille;
    private final int repeatedPerMille;
    private final Set<String> cut = new TreeSet<>();
    private final Map<String, List<Held>> frozen = new TreeMap<>();
    private boolean quiet;

    /** What waits in a frozen process, and what is to be done if it ends before. */
    private record Held(Runnable work, Runnable never) {}

    SimNetwork(EventQueue events, Random random, SimSettings settings) {
        this.events = events;
        this.random = random;
        this.lossPerMille = settings.lossPerMille();
        this.repeatedPerMille = settings.repeatedPerMille();
    }

    /** Nothing is lost from now on. */
    void heal() {
        quiet = true;
        cut.clear();
    }

    /** Nothing passes from one to the other; the way back stays as it is. */
    void cut(String from, String to) {
        cut.add(way(from, to));
    }

    void join(String from, String to) {
        cut.remove(way(from, to));
    }

    private static String way(String from, String to) {
        return from + ">" + to;
    }

    /** What arrives there waits from now on. */
    void freeze(String id) {
        frozen.putIfAbsent(id, new ArrayList<>());
    }

    /** What waited arrives late, in any order. */
    void thaw(String id) {
        Optional.ofNullable(frozen.remove(id))
                .ifPresent(late -> late.forEach(
                        held -> events.after(random.nextInt(WOKEN_WITHIN_MILLIS), "", () -> at(id, held))));
    }

    /** The process is gone with what waited for it. */
    void forget(String id) {
        Optional.ofNullable(frozen.remove(id)).ifPresent(late -> late.forEach(held -> held.never.run()));
    }

    boolean frozen(String id) {
        return frozen.containsKey(id);
    }

    /** Runs in that process, once it is not frozen. */
    void at(String id, Runnable work) {
        at(id, new Held(work, () -> {}));
    }

    private void at(String id, Held held) {
        List<Held> waiting = frozen.get(id);
        if (waiting == null) {
            held.work.run();
        } else {
            waiting.add(held);
        }
    }

    @Override
    public boolean connected(String one, String other) {
        return !cut.contains(way(one, other)) && !cut.contains(way(other, one)) && !frozen(one) && !frozen(other);
    }

    /** Whether a message sent now arrives. */
    boolean passes(String from, String to) {
        return !cut.contains(way(from, to)) && !frozen(from) && (quiet || random.nextInt(1_000) >= lossPerMille);
    }

    long delayMillis() {
        return !quiet && random.nextInt(SLOW_ONE_IN) == 0 ? 50 + random.nextInt(400) : 1 + random.nextInt(8);
    }

    /** As {@link Network#send}; what arrives may arrive once more, later. */
    @Override
    public void send(String from, String to, Runnable arrival, Runnable lost) {
        // Also told where the sender is gone by then: others may wait for what it asked.
        Runnable givenUp = () -> events.after(LOST_AFTER_MILLIS, "", () -> at(from, new Held(lost, lost)));
        if (!passes(from, to)) {
            givenUp.run();
            return;
        }
        events.after(delayMillis(), "", () -> at(to, new Held(arrival, givenUp)));
        if (!quiet && repeatedPerMille > 0 && random.nextInt(1_000) < repeatedPerMille) {
            events.count("repeated");
            events.after(delayMillis() + delayMillis(), "", () -> at(to, arrival));
        }
    }
}
