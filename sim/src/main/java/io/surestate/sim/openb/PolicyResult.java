package io.surestate.sim.openb;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A policy's figures over all seeds.
 *
 * @param runs one for each seed, in the order asked
 * @param decisionMicrosP50 half of all decisions took at most so long
 * @param decisionMicrosP99 99 of 100 decisions took at most so long
 */
public record PolicyResult(String policy, List<SeedRun> runs, double decisionMicrosP50, double decisionMicrosP99) {
    public PolicyResult {
        runs = List.copyOf(runs);
    }

    /** Mean over the seeds of the share of devices in use at that percent of arrived demand. */
    public double mean(int column) {
        return runs.stream()
                .mapToDouble(run -> run.allocationPercent().get(column))
                .average()
                .orElse(Double.NaN);
    }

    /** Standard deviation over the seeds (n - 1); 0 of a single seed. */
    public double deviation(int column) {
        if (runs.size() < 2) {
            return 0;
        }
        double mean = mean(column);
        double squares = runs.stream()
                .mapToDouble(run -> run.allocationPercent().get(column) - mean)
                .map(difference -> difference * difference)
                .sum();
        return Math.sqrt(squares / (runs.size() - 1));
    }

    /** The mean over the seeds at every percent from 0 on, as far as every run reached. */
    public List<Double> curve() {
        int columns = runs.stream()
                .mapToInt(run -> run.allocationPercent().size())
                .min()
                .orElse(0);
        return IntStream.range(0, columns).mapToObj(this::mean).toList();
    }
}
