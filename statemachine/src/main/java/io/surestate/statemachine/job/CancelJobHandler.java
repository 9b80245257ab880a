package io.surestate.statemachine.job;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.log.v1.CancelJob;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.Change;

/** Ends a live job early, by force also one that is being cancelled. Cancelling twice is accepted and changes nothing. */
public final class CancelJobHandler {
    private final Gang gang = new Gang();

    public Outcome decide(Draft draft, CancelJob command) {
        return LiveJobs.find(draft.state(), command.getTenant(), command.getJob())
                .map(entry -> cancel(draft, entry.job(), command))
                .orElseGet(() -> LiveJobs.notFound(draft, command.getTenant(), command.getJob()));
    }

    private Outcome cancel(Draft draft, Job job, CancelJob command) {
        if (job.getStatus().getPhase() == JobPhase.JOB_PHASE_CANCELLING && !command.getForce()) {
            return Outcomes.job(job);
        }
        return LiveJobs.generationProblem(job, command.getExpectedGeneration())
                .orElseGet(() -> cancelNow(draft, job, command));
    }

    private Outcome cancelNow(Draft draft, Job job, CancelJob command) {
        JobEdit edit = new JobEdit(draft, job);
        String reason = Tasks.cut(command.getReason());
        edit.job().setGeneration(job.getGeneration() + 1);
        edit.status()
                .setPhase(JobPhase.JOB_PHASE_CANCELLING)
                .setPlannedStop(false)
                .setReason(reason.isEmpty() ? "cancelled" : reason);
        edit.event(JobEventKind.JOB_EVENT_KIND_CANCEL_REQUESTED, reason);
        Job done = edit.commit();
        if (command.getForce()) {
            gang.remove(draft, job.getUid());
        } else {
            gang.cancel(draft, job.getUid());
        }
        return Outcomes.job(cancelled(draft, done));
    }

    /** The job as the cancel left it, which is in history where nothing had to be stopped. */
    private static Job cancelled(Draft draft, Job job) {
        return draft.changes().stream()
                .filter(change -> change instanceof Change.JobFinished)
                .map(change -> ((Change.JobFinished) change).job())
                .findFirst()
                .orElse(job);
    }
}
