package io.surestate.statemachine.job;

import io.surestate.api.Limits;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.Task;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.Change;

/** A job being changed within a draft, together with the lines that tell of it. */
public final class JobEdit {
    /** Checkpoint lines leave room for the lines that tell how the job went. */
    private static final int CHECKPOINT_EVENTS_MAX = Limits.JOB_EVENTS_MAX / 2;

    private final Draft draft;
    private final Job.Builder job;

    public JobEdit(Draft draft, Job job) {
        this.draft = draft;
        this.job = job.toBuilder();
    }

    public JobStatus.Builder status() {
        return job.getStatusBuilder();
    }

    public Job.Builder job() {
        return job;
    }

    /** Adds a line about the job as a whole. */
    public void event(JobEventKind kind, String message) {
        event(kind, Task.getDefaultInstance(), message);
    }

    /** Adds a line about one of its tasks. */
    public void event(JobEventKind kind, Task task, String message) {
        int ordinal = status().getEvents();
        if (ordinal >= most(kind)) {
            return;
        }
        JobEvent event = JobEvent.newBuilder()
                .setJobUid(job.getUid())
                .setRevision(draft.index())
                .setTimeMillis(draft.timeMillis())
                .setKind(kind)
                .setAttempt(status().getAttempt())
                .setTask(task.getGroup().isEmpty() ? "" : Tasks.label(task))
                .setNode(task.getNode())
                .setMessage(message)
                .build();
        draft.add(new Change.JobEventAppended(event, ordinal));
        status().setEvents(ordinal + 1);
    }

    /** Puts the job as it is now. */
    public Job commit() {
        Job done = job.setRevision(draft.index()).build();
        draft.add(new Change.JobPut(done));
        return done;
    }

    private static int most(JobEventKind kind) {
        return switch (kind) {
            case JOB_EVENT_KIND_CHECKPOINT_COMMITTED -> CHECKPOINT_EVENTS_MAX;
            case JOB_EVENT_KIND_SUCCEEDED, JOB_EVENT_KIND_FAILED, JOB_EVENT_KIND_CANCELLED -> Integer.MAX_VALUE;
            default -> Limits.JOB_EVENTS_MAX;
        };
    }
}
