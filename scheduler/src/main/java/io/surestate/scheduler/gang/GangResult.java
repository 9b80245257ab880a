package io.surestate.scheduler.gang;

import java.util.List;

/** What a search found. Immutable. */
public sealed interface GangResult {
    /** The tasks that are placed, group after group in rank order; their room is taken in the pool. */
    record Placed(List<TaskPlace> tasks) implements GangResult {
        public Placed {
            tasks = List.copyOf(tasks);
        }
    }

    /**
     * Nothing is taken.
     *
     * @param reason for people: the constraint that holds it back and the smallest change that would help
     */
    record Waits(String reason) implements GangResult {}
}
