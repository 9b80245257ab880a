/**
 * The published inflation experiment on the openb trace: readers of its files and the experiment itself, over the scheduler's own pool,
 * policies and placer. Start at {@link io.surestate.sim.openb.InflationExperiment}.
 */
@NullMarked
package io.surestate.sim.openb;

import org.jspecify.annotations.NullMarked;
