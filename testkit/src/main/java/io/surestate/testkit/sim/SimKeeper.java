package io.surestate.testkit.sim;

import io.surestate.agent.keeper.GuardedTask;
import io.surestate.agent.keeper.Keeper;
import java.util.List;

/** The keeper of one boot: outlives agents, and kills what it guards when the lease ends. One thread. */
final class SimKeeper implements Keeper {
    private final SimNode node;
    private final int boot;
    private long deadlineMillis;
    private List<GuardedTask> guarded = List.of();

    SimKeeper(SimNode node, int boot) {
        this.node = node;
        this.boot = boot;
    }

    @Override
    public boolean alive(long nowMillis) {
        return true;
    }

    @Override
    public void update(long newDeadlineMillis, List<GuardedTask> tasks) {
        deadlineMillis = newDeadlineMillis;
        guarded = List.copyOf(tasks);
        node.atBootMillis(newDeadlineMillis, boot, this::killIfDue);
    }

    private void killIfDue() {
        if (!guarded.isEmpty() && node.bootMillis() >= deadlineMillis) {
            node.kill(guarded);
        }
    }

    @Override
    public long lastDeadlineMillis() {
        return deadlineMillis;
    }
}
