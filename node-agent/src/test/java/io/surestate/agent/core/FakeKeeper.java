package io.surestate.agent.core;

import io.surestate.agent.keeper.GuardedTask;
import io.surestate.agent.keeper.Keeper;
import java.util.List;

/** A keeper that only remembers. */
final class FakeKeeper implements Keeper {
    boolean alive = true;
    long lastDeadlineMillis;
    long deadlineMillis;
    List<GuardedTask> guarded = List.of();

    @Override
    public boolean alive(long nowMillis) {
        return alive;
    }

    @Override
    public void update(long deadlineMillis, List<GuardedTask> tasks) {
        this.deadlineMillis = deadlineMillis;
        guarded = List.copyOf(tasks);
    }

    @Override
    public long lastDeadlineMillis() {
        return lastDeadlineMillis;
    }
}
