package io.surestate.cli.simulate;

import io.surestate.scheduler.queue.Backfill;
import io.surestate.scheduler.queue.QueueOrder;
import io.surestate.sim.batch.QueueOutcome;
import io.surestate.sim.batch.Replayed;

/**
 * One policy, and what it came to.
 *
 * @param outcome the mean over all replays
 * @param dropped jobs of the trace that were not replayed
 * @param first of the replays, for curves
 */
record QueueRow(QueueOrder order, Backfill backfill, QueueOutcome outcome, long dropped, Replayed first) {
    /** For people, and short. */
    String label() {
        return order.label() + ", " + backfill.label();
    }
}
