/**
 * The order in which waiting jobs start, and what may start out of turn. Pure: no I/O, clock, randomness or thread; times are whole seconds
 * of the caller's clock. What fits, and when it will, is asked of a {@link io.surestate.scheduler.queue.Capacity}, so that the same rules
 * serve a count of processors and a real cluster. Start at {@link io.surestate.scheduler.queue.JobQueue}.
 */
@NullMarked
package io.surestate.scheduler.queue;

import org.jspecify.annotations.NullMarked;
