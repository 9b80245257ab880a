package io.surestate.sim.batch;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a policy came to on a log. Times in seconds.
 *
 * @param boundedSlowdown mean over jobs of (wait + run) / run, at least 1, where a run shorter than 10 s counts as 10 s
 * @param p99BoundedSlowdown 99 of 100 jobs have at most this
 * @param utilization share of the processors that was in use between the first submission and the last end, 0 to 1
 * @param waitSeconds mean
 * @param maxWaitSeconds the longest
 * @param makespanSeconds from the first submission to the last end
 */
public record QueueOutcome(
        long jobs,
        double boundedSlowdown,
        double p99BoundedSlowdown,
        double utilization,
        double waitSeconds,
        double maxWaitSeconds,
        double makespanSeconds) {

    /** The mean of each figure; jobs are added up, and the longest wait is the longest of all. */
    public static QueueOutcome mean(List<QueueOutcome> outcomes) {
        return new QueueOutcome(
                outcomes.stream().mapToLong(QueueOutcome::jobs).sum(),
                mean(outcomes, QueueOutcome::boundedSlowdown),
                mean(outcomes, QueueOutcome::p99BoundedSlowdown),
                mean(outcomes, QueueOutcome::utilization),
                mean(outcomes, QueueOutcome::waitSeconds),
                outcomes.stream()
                        .mapToDouble(QueueOutcome::maxWaitSeconds)
                        .max()
                        .orElseThrow(),
                mean(outcomes, QueueOutcome::makespanSeconds));
    }

    private static double mean(List<QueueOutcome> outcomes, ToDoubleFunction<QueueOutcome> figure) {
        return outcomes.stream().mapToDouble(figure).average().orElseThrow();
    }
}
