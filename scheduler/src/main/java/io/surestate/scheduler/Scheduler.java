package io.surestate.scheduler;

import java.util.List;

/** Decides where pending gangs run. Implementations are pure: equal inputs give equal schedules. */
public interface Scheduler {
    /** Places the gangs in the order given; each whole or not at all. */
    Schedule place(PlacementView view, List<PendingGang> gangs);
}
