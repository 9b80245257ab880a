package io.surestate.statemachine.ledger;

import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;

/** Whether a job waits for just this plan: attempt, generation, scheduler, time. */
final class GangCheck {
    private static final String SCHEDULER_DEFAULT = "default";

    private final Conflicts conflicts;

    GangCheck(Conflicts conflicts) {
        this.conflicts = conflicts;
    }

    void check(Job job, GangPlacement gang, String scheduler, long timeMillis) {
        JobPhase phase = job.getStatus().getPhase();
        if (phase != JobPhase.JOB_PHASE_PENDING) {
            conflicts.add("job phase", phase.name().replace("JOB_PHASE_", ""), "PENDING");
        }
        if (gang.getGeneration() != job.getGeneration()) {
            conflicts.add("job generation", Long.toString(gang.getGeneration()), Long.toString(job.getGeneration()));
        }
        if (gang.getAttempt() != job.getStatus().getAttempt()) {
            conflicts.add(
                    "job attempt",
                    Integer.toString(gang.getAttempt()),
                    Integer.toString(job.getStatus().getAttempt()));
        }
        if (!named(scheduler).equals(named(job.getSpec().getScheduler()))) {
            conflicts.add("scheduler", named(scheduler), named(job.getSpec().getScheduler()));
        }
        if (job.getStatus().getNotBeforeMillis() > timeMillis) {
            conflicts.add(
                    "cluster time",
                    Long.toString(timeMillis),
                    job.getStatus().getNotBeforeMillis() + " or later, the end of the wait before this attempt");
        }
    }

    private static String named(String scheduler) {
        return scheduler.isEmpty() ? SCHEDULER_DEFAULT : scheduler;
    }
}
