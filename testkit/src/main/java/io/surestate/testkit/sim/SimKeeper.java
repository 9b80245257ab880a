package io.surestate.testkit.sim;

import io.surestate.agent.keeper.GuardedTask;
import io.surestate.agent.keeper.Keeper;
import java.util.List;

/**
 * The keeper of one boot: outlives agents, and kills what it guards when the lease ends. It looks now and then only, may be killed, and
 * may be frozen; an agent that misses its beat starts another. One thread.
 */
final class SimKeeper implements Keeper {
    /** The longest time between two looks. */
    static final int ROUND_MILLIS = 200;

    private static final long BEAT_MILLIS_MAX = 3_000;
    private static final long RELAUNCH_MILLIS = 2_000;

    private final SimNode node;
    private final int boot;
    private long deadlineMillis;
    private List<GuardedTask> guarded = List.of();
    private boolean dead;
    private boolean frozen;
    private long lastBeatMillis;
    private long launchedMillis;

    SimKeeper(SimNode node, int boot) {
        this.node = node;
        this.boot = boot;
        this.launchedMillis = -RELAUNCH_MILLIS;
    }

    @Override
    public boolean alive(long nowMillis) {
        if (!healthy(nowMillis) && nowMillis - launchedMillis >= RELAUNCH_MILLIS) {
            launchedMillis = nowMillis;
            dead = false;
            frozen = false;
            look();
        }
        return healthy(nowMillis);
    }

    private boolean works() {
        return !dead && !frozen && !node.asleep();
    }

    private boolean healthy(long nowMillis) {
        return !dead && (!frozen || nowMillis - lastBeatMillis < BEAT_MILLIS_MAX);
    }

    /** It would kill in time. */
    boolean guards() {
        return works();
    }

    void kill() {
        dead = true;
    }

    void freeze() {
        frozen = true;
        lastBeatMillis = node.bootMillis();
    }

    /** Frozen no longer, or back with the whole machine; it looks at once. */
    void wake() {
        frozen = false;
        look();
    }

    @Override
    public void update(long newDeadlineMillis, List<GuardedTask> tasks) {
        deadlineMillis = newDeadlineMillis;
        guarded = List.copyOf(tasks);
        look();
    }

    private void look() {
        node.atBootMillis(deadlineMillis + node.random(ROUND_MILLIS), boot, this::killIfDue);
    }

    private void killIfDue() {
        if (works() && !guarded.isEmpty() && node.bootMillis() >= deadlineMillis) {
            node.kill(guarded);
        }
    }

    @Override
    public long lastDeadlineMillis() {
        return deadlineMillis;
    }
}
