package io.surestate.sim.batch;

/**
 * What one replay came to.
 *
 * @param waiting jobs in the queue over time
 * @param busy share of the processors in use over time
 * @param slowdowns of all jobs, ascending; not to be written to
 */
@SuppressWarnings("ArrayRecordComponent")
public record Replayed(QueueOutcome outcome, StepCurve.Points waiting, StepCurve.Points busy, double[] slowdowns) {}
