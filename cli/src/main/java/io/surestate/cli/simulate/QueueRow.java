package io.surestate.cli.simulate;

import io.surestate.scheduler.queue.Backfill;
import io.surestate.scheduler.queue.QueueOrder;
import io.surestate.sim.batch.QueueOutcome;
import io.surestate.sim.batch.Replayed;
import io.surestate.sim.nodes.GangOutcome;
import java.util.Optional;

/**
 * One policy, and what it came to.
 *
 * @param outcome the mean over all replays
 * @param dropped jobs of the trace that were not replayed
 * @param gangs how they lay on nodes, the mean over all replays; empty where GPUs are only counted
 * @param first of the replays, for curves
 */
@SuppressWarnings("OptionalUsedAsFieldOrParameterType")
record QueueRow(
        QueueOrder order,
        Backfill backfill,
        QueueOutcome outcome,
        long dropped,
        Optional<GangOutcome> gangs,
        Replayed first) {
    /** For people, and short. */
    String label() {
        return order.label() + ", " + backfill.label();
    }
}
