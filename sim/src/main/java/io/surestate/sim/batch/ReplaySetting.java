package io.surestate.sim.batch;

import io.surestate.scheduler.queue.Backfill;
import io.surestate.scheduler.queue.Prediction;
import io.surestate.scheduler.queue.QueueOrder;

/**
 * How jobs are replayed.
 *
 * @param processors of the machine, at least 1
 */
public record ReplaySetting(QueueOrder order, Backfill backfill, EventOrder events, int processors) {
    /** Whether the machine should believe predicted run times. */
    public boolean predictsEnds() {
        return backfill.prediction() != Prediction.NONE;
    }
}
