/**
 * Pure placement: a view of the cluster and pending gangs in, a plan and its explanation out. No I/O, clock or thread, so that any Java
 * client can embed it. Start at {@link io.surestate.scheduler.Scheduler}.
 */
@NullMarked
package io.surestate.scheduler;

import org.jspecify.annotations.NullMarked;
