package io.surestate.statemachine.ledger;

import io.surestate.api.GroupSize;
import io.surestate.api.Names;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.HeldGang;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.statemachine.decision.Caller;

/** Whether a job waits for just this plan, or may grow by it: phase, attempt, generation, scheduler, time. */
final class GangCheck {
    private final Conflicts conflicts;

    GangCheck(Conflicts conflicts) {
        this.conflicts = conflicts;
    }

    /** Adds the first thing that is wrong. */
    void check(Job job, HeldGang gang, String scheduler, Caller caller, long timeMillis) {
        if (!caller.mayTouch(job.getTenant())) {
            conflicts.add(ConflictKind.CONFLICT_KIND_TENANT, "tenant of job", caller.tenant(), job.getTenant());
            return;
        }
        JobPhase phase = job.getStatus().getPhase();
        boolean grows = phase == JobPhase.JOB_PHASE_RUNNING && takesMore(job);
        if (phase != JobPhase.JOB_PHASE_PENDING && !grows) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_JOB,
                    "job phase",
                    phase.name().replace("JOB_PHASE_", ""),
                    takesMore(job) ? "PENDING or RUNNING" : "PENDING");
        } else if (gang.getGeneration() != job.getGeneration()) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_JOB,
                    "job generation",
                    Long.toString(gang.getGeneration()),
                    Long.toString(job.getGeneration()));
        } else if (gang.getAttempt() != job.getStatus().getAttempt()) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_JOB,
                    "job attempt",
                    Integer.toString(gang.getAttempt()),
                    Integer.toString(job.getStatus().getAttempt()));
        } else if (!named(scheduler).equals(named(job.getSpec().getScheduler()))) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_SCHEDULER,
                    "scheduler",
                    named(scheduler),
                    named(job.getSpec().getScheduler()));
        } else if (job.getStatus().getNotBeforeMillis() > timeMillis) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_JOB,
                    "cluster time",
                    Long.toString(timeMillis),
                    job.getStatus().getNotBeforeMillis() + " or later, the end of the wait before this attempt");
        }
    }

    private static boolean takesMore(Job job) {
        return job.getSpec().getGroupsList().stream()
                .anyMatch(group -> GroupSize.elastic(group) || group.getSpares() > 0);
    }

    private static String named(String scheduler) {
        return scheduler.isEmpty() ? Names.SCHEDULER_DEFAULT : scheduler;
    }
}
