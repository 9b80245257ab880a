package io.surestate.sim.openb;

import java.util.List;

/**
 * One run of the experiment.
 *
 * @param arrived pods that arrived
 * @param placed pods that found a place
 * @param allocationPercent by percent of arrived demand, from 0: the mean share of devices in use; NaN where no pod fell on that percent
 */
public record SeedRun(long seed, int arrived, int placed, List<Double> allocationPercent) {
    public SeedRun {
        allocationPercent = List.copyOf(allocationPercent);
    }
}
