/**
 * Replay of batch jobs on a number of equal processors, in virtual time, through the queue rules of the scheduler. Start at
 * {@link io.surestate.sim.batch.BatchReplay}. No clock and no thread.
 */
@NullMarked
package io.surestate.sim.batch;

import org.jspecify.annotations.NullMarked;
