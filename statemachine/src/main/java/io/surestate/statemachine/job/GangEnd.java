package io.surestate.statemachine.job;

import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;

/** What follows an attempt whose tasks are all over. */
final class GangEnd {
    /** The job leaves live state. */
    void finish(Draft draft, JobEntry entry, JobPhase phase) {
        JobPlaces.releaseSpares(draft, entry.job().getUid(), "job is over");
        JobPlaces.release(draft, entry.job().getUid(), "job is over");
        for (Task task : entry.tasks()) {
            if (task.getState() == TaskState.TASK_STATE_PENDING) {
                draft.put(Tasks.move(task, TaskState.TASK_STATE_CANCELLED)
                        .setFinishedMillis(draft.timeMillis())
                        .setReason("never joined"));
            }
        }
        JobEdit edit = new JobEdit(draft, entry.job());
        endRun(edit, phase == JobPhase.JOB_PHASE_SUCCEEDED, draft.timeMillis());
        edit.status()
                .setPhase(phase)
                .setPlannedStop(false)
                .setNotBeforeMillis(0)
                .setFinishedMillis(draft.timeMillis());
        if (phase == JobPhase.JOB_PHASE_SUCCEEDED) {
            edit.status().setReason("");
        }
        edit.event(eventOf(phase), edit.status().getReason());
        Job done = edit.job().setRevision(draft.index()).build();
        List<Task> tasks = draft.state().job(done.getUid()).orElseThrow().tasks();
        draft.add(new Change.JobFinished(done, tasks));
        ClusterMeta meta = draft.state().meta();
        draft.add(new Change.MetaPut(
                meta.toBuilder().setFinishedJobs(meta.getFinishedJobs() + 1).build()));
    }

    /** The attempt's tasks go to history, and the gang waits for the places that it was promised, or to be placed again. */
    void nextAttempt(Draft draft, JobEntry entry, long notBeforeMillis) {
        Job job = entry.job();
        int attempt = job.getStatus().getAttempt() + 1;
        for (Task task : entry.tasks()) {
            if (task.getState() != TaskState.TASK_STATE_PENDING) {
                draft.add(new Change.TaskArchived(task));
            }
            draft.put(Tasks.pending(job.getUid(), task.getGroup(), task.getIndex(), attempt));
        }
        boolean promised = !draft.state().nominatedFor(job.getUid()).isEmpty();
        if (!promised) {
            JobPlaces.releaseSpares(draft, job.getUid(), "the gang starts again elsewhere");
        }
        JobEdit edit = new JobEdit(draft, job);
        endRun(edit, false, draft.timeMillis());
        edit.status()
                .setPhase(promised ? JobPhase.JOB_PHASE_NOMINATED : JobPhase.JOB_PHASE_PENDING)
                .setAttempt(attempt)
                .setPlannedStop(false)
                .setNotBeforeMillis(notBeforeMillis);
        edit.event(
                JobEventKind.JOB_EVENT_KIND_RESTARTING,
                job.getStatus().hasCheckpoint()
                        ? "resumes from checkpoint step "
                                + job.getStatus().getCheckpoint().getStep()
                        : "starts afresh, no checkpoint was committed");
        edit.commit();
    }

    /** Counts what was of use of the run that is over, if there was one. */
    private static void endRun(JobEdit edit, boolean succeeded, long nowMillis) {
        long since = edit.status().getRunStartedMillis();
        long kept = succeeded ? nowMillis : edit.status().getCheckpoint().getCommittedMillis();
        if (since > 0 && kept > since) {
            edit.status().setProductiveMillis(edit.status().getProductiveMillis() + kept - since);
        }
        edit.status().setRunStartedMillis(0);
    }

    private static JobEventKind eventOf(JobPhase phase) {
        return switch (phase) {
            case JOB_PHASE_SUCCEEDED -> JobEventKind.JOB_EVENT_KIND_SUCCEEDED;
            case JOB_PHASE_FAILED -> JobEventKind.JOB_EVENT_KIND_FAILED;
            case JOB_PHASE_CANCELLED -> JobEventKind.JOB_EVENT_KIND_CANCELLED;
            default -> throw new IllegalStateException("not an end: " + phase);
        };
    }
}
