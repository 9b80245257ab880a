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
        JobPhase phase = job.getStatus().getPhase();
        boolean fits = phase == JobPhase.JOB_PHASE_PENDING || (phase == JobPhase.JOB_PHASE_RUNNING && takesMore(job));
        boolean asSeen =
                check(job, gang, scheduler, caller, fits ? "" : takesMore(job) ? "PENDING or RUNNING" : "PENDING");
        if (asSeen && job.getStatus().getNotBeforeMillis() > timeMillis) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_JOB,
                    "cluster time",
                    Long.toString(timeMillis),
                    job.getStatus().getNotBeforeMillis() + " or later, the end of the wait before this attempt");
        }
    }

    /** As {@link #check}, for a plan that moves a running job. */
    void checkMove(Job job, HeldGang gang, String scheduler, Caller caller) {
        boolean runs = job.getStatus().getPhase() == JobPhase.JOB_PHASE_RUNNING;
        var unused = check(job, gang, scheduler, caller, runs ? "" : "RUNNING");
    }

    /**
     * Whether nothing of it is wrong.
     *
     * @param phaseExpected empty = the job's phase is one in which it may be
     */
    private boolean check(Job job, HeldGang gang, String scheduler, Caller caller, String phaseExpected) {
        if (!caller.mayTouch(job.getTenant())) {
            conflicts.add(ConflictKind.CONFLICT_KIND_TENANT, "tenant of job", caller.tenant(), job.getTenant());
        } else if (!phaseExpected.isEmpty()) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_JOB,
                    "job phase",
                    job.getStatus().getPhase().name().replace("JOB_PHASE_", ""),
                    phaseExpected);
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
        } else {
            return true;
        }
        return false;
    }

    private static boolean takesMore(Job job) {
        return job.getSpec().getGroupsList().stream()
                .anyMatch(group -> GroupSize.elastic(group) || group.getSpares() > 0);
    }

    private static String named(String scheduler) {
        return scheduler.isEmpty() ? Names.SCHEDULER_DEFAULT : scheduler;
    }
}
