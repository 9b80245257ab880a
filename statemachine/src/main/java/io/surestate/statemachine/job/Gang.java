package io.surestate.statemachine.job;

import io.surestate.api.Limits;
import io.surestate.api.v1.Checkpoint;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.JobEntry;

/**
 * A gang lives and dies as one: the first task that ends without success ends the attempt, the others are stopped, and only when
 * all are over does the job go on, to its next attempt or to its end. A task that an elastic gang can do without only leaves it.
 */
public final class Gang {
    private final GangEnd end = new GangEnd();

    /** Takes note that a task of the gang has just become final. */
    public void ended(Draft draft, Task task) {
        JobEntry entry = entry(draft, task.getJobUid());
        if (phase(entry) == JobPhase.JOB_PHASE_RESTARTING && task.getState() == TaskState.TASK_STATE_LOST) {
            SpareSwap.alsoLost(draft, task);
        }
        if (phase(entry) != JobPhase.JOB_PHASE_RUNNING) {
            return;
        }
        if (task.getLeaving()) {
            var unused = Members.left(draft, task, task.getReason());
        } else if (task.getState() == TaskState.TASK_STATE_FAILED) {
            failed(draft, entry.job(), task);
        } else if (task.getState() != TaskState.TASK_STATE_SUCCEEDED && Members.canDoWithout(entry, task)) {
            SpareSwap.rejoin(draft, Members.left(draft, task, Tasks.cut("lost: " + task.getReason())));
        } else if (task.getState() != TaskState.TASK_STATE_SUCCEEDED) {
            lost(draft, entry.job(), task);
        }
    }

    /** Draws the consequences once all reports of a command are in: checkpoint, start, end. */
    public void settle(Draft draft, String uid, boolean startedBefore) {
        commitCheckpoint(draft, entry(draft, uid));
        JobEntry entry = entry(draft, uid);
        if (!startedBefore && entry.allStarted() && phase(entry) == JobPhase.JOB_PHASE_RUNNING) {
            started(draft, entry.job());
        }
        if (entry.allFinal()) {
            conclude(draft, entry(draft, uid));
        }
    }

    /** Stops what still runs, for a cancel. Pending tasks are over at once, nominations are withdrawn. */
    void cancel(Draft draft, String uid) {
        JobPlaces.release(draft, uid, "job cancelled");
        for (Task task : entry(draft, uid).tasks()) {
            if (task.getState() == TaskState.TASK_STATE_PENDING) {
                draft.put(Tasks.move(task, TaskState.TASK_STATE_CANCELLED).setFinishedMillis(draft.timeMillis()));
            }
        }
        stop(draft, uid, "job cancelled");
        settle(draft, uid, true);
    }

    /** Ends the job in this moment, whatever its tasks do; their places stay counted until they are proven empty. */
    void remove(Draft draft, String uid) {
        JobPlaces.release(draft, uid, "job removed by force");
        for (Task task : entry(draft, uid).tasks()) {
            if (!TaskTransitions.isFinal(task.getState())) {
                Tasks.releasing(draft, task, "job removed by force; its tasks may still run");
                draft.put(Tasks.move(task, TaskState.TASK_STATE_CANCELLED)
                        .setFinishedMillis(draft.timeMillis())
                        .setReason("removed by force; it may still run"));
            }
        }
        settle(draft, uid, true);
    }

    /**
     * A plan needs a place of a gang: its task leaves if the gang can do without, else the gang is stopped whole and tried again later. Only
     * a running gang can be preempted.
     */
    public void preempt(Draft draft, TaskRef place, String reason) {
        JobEntry entry = entry(draft, place.getJobUid());
        Task task = entry.task(place.getGroup(), place.getIndex()).orElseThrow();
        if (phase(entry) == JobPhase.JOB_PHASE_RUNNING && Members.canDoWithout(entry, task)) {
            Members.leave(draft, task, Tasks.cut("preempted: " + reason));
        } else if (phase(entry) == JobPhase.JOB_PHASE_RUNNING) {
            preempt(draft, entry.job(), reason);
        }
    }

    private static void preempt(Draft draft, Job job, String reason) {
        JobEdit edit = new JobEdit(draft, job);
        edit.status()
                .setPhase(JobPhase.JOB_PHASE_RESTARTING)
                .setPreemptions(job.getStatus().getPreemptions() + 1)
                .setPlannedStop(true)
                .setNotBeforeMillis(0)
                .setReason(Tasks.cut("preempted: " + reason));
        edit.event(JobEventKind.JOB_EVENT_KIND_PREEMPTED, Tasks.cut(reason));
        edit.commit();
        stop(draft, job.getUid(), "preempted: " + reason);
    }

    /** A running gang is stopped whole, as planned, to go on elsewhere. */
    static void move(Draft draft, Job job, String reason) {
        JobEdit edit = new JobEdit(draft, job);
        edit.status()
                .setPhase(JobPhase.JOB_PHASE_RESTARTING)
                .setMoves(job.getStatus().getMoves() + 1)
                .setPlannedStop(true)
                .setNotBeforeMillis(0)
                .setReason(Tasks.cut("moves: " + reason));
        edit.event(JobEventKind.JOB_EVENT_KIND_MOVED, Tasks.cut(reason));
        edit.commit();
        stop(draft, job.getUid(), "moves: " + reason);
    }

    private void failed(Draft draft, Job job, Task task) {
        String how = "task " + Tasks.label(task) + " failed: " + ending(task);
        RetryPolicy retry = job.getSpec().getRetry();
        FailureClass failure = FailureClass.of(retry, task);
        JobEdit edit = new JobEdit(draft, job);
        if (failure == FailureClass.IGNORED) {
            edit.status().setIgnoredFailures(job.getStatus().getIgnoredFailures() + 1);
        } else {
            edit.status().setFailures(job.getStatus().getFailures() + 1);
        }
        edit.event(JobEventKind.JOB_EVENT_KIND_TASK_FAILED, task, ending(task));
        String end = end(failure, retry, edit.status().build());
        if (end.isEmpty()) {
            edit.status()
                    .setPhase(JobPhase.JOB_PHASE_RESTARTING)
                    .setNotBeforeMillis(draft.timeMillis()
                            + Backoff.millis(
                                    draft, job.getUid(), retry, edit.status().build()))
                    .setReason(how);
        } else {
            edit.status().setPhase(JobPhase.JOB_PHASE_FAILING).setReason(Tasks.cut(how + "; " + end));
        }
        edit.commit();
        stop(draft, job.getUid(), how);
    }

    /** Why the job is not tried again; empty = it is. */
    private static String end(FailureClass failure, RetryPolicy retry, JobStatus counted) {
        return switch (failure) {
            case FAILS_JOB -> "its exit code ends the job";
            case IGNORED ->
                counted.getIgnoredFailures() <= Limits.IGNORED_FAILURES_MAX
                        ? ""
                        : "too many failures that were ignored";
            case COUNTS -> counted.getFailures() < Math.max(1, retry.getMaxAttempts()) ? "" : "no attempt is left";
        };
    }

    private void lost(Draft draft, Job job, Task task) {
        int losses = job.getStatus().getNodeLosses() + 1;
        JobEdit edit = new JobEdit(draft, job);
        edit.status().setNodeLosses(losses).setNotBeforeMillis(0);
        edit.event(JobEventKind.JOB_EVENT_KIND_NODE_LOST, task, task.getReason());
        boolean goesOn = losses <= Limits.NODE_LOSSES_MAX;
        edit.status()
                .setPhase(goesOn ? JobPhase.JOB_PHASE_RESTARTING : JobPhase.JOB_PHASE_FAILING)
                .setReason(Tasks.cut("task " + Tasks.label(task) + " lost: " + task.getReason()
                        + (goesOn ? "" : "; too many losses")));
        edit.commit();
        stop(draft, job.getUid(), "task " + Tasks.label(task) + " lost");
        if (goesOn) {
            var unused = SpareSwap.promise(draft, job.getUid(), running -> false);
        }
    }

    private static void stop(Draft draft, String uid, String reason) {
        for (Task task : entry(draft, uid).tasks()) {
            Tasks.stop(draft, task, reason);
        }
    }

    private static void commitCheckpoint(Draft draft, JobEntry entry) {
        Job job = entry.job();
        boolean counts = phase(entry) == JobPhase.JOB_PHASE_RUNNING || phase(entry) == JobPhase.JOB_PHASE_RESTARTING;
        long step = entry.commonStep();
        if (!counts || step <= job.getStatus().getCheckpoint().getStep()) {
            return;
        }
        JobEdit edit = new JobEdit(draft, job);
        edit.status()
                .setCheckpoint(Checkpoint.newBuilder()
                        .setStep(step)
                        .setCommittedMillis(draft.timeMillis())
                        .setAttempt(job.getStatus().getAttempt()));
        edit.event(JobEventKind.JOB_EVENT_KIND_CHECKPOINT_COMMITTED, "step " + step);
        edit.commit();
    }

    private static void started(Draft draft, Job job) {
        JobEdit edit = new JobEdit(draft, job);
        if (job.getStatus().getStartedMillis() == 0) {
            edit.status().setStartedMillis(draft.timeMillis());
        }
        if (job.getStatus().getRunStartedMillis() == 0) {
            // Tasks that join later do not begin another run.
            edit.status().setRunStartedMillis(Math.max(1, draft.timeMillis()));
        }
        edit.event(JobEventKind.JOB_EVENT_KIND_STARTED, "all tasks run");
        edit.commit();
    }

    private void conclude(Draft draft, JobEntry entry) {
        switch (phase(entry)) {
            case JOB_PHASE_RUNNING -> end.finish(draft, entry, JobPhase.JOB_PHASE_SUCCEEDED);
            case JOB_PHASE_FAILING -> end.finish(draft, entry, JobPhase.JOB_PHASE_FAILED);
            case JOB_PHASE_CANCELLING -> end.finish(draft, entry, JobPhase.JOB_PHASE_CANCELLED);
            case JOB_PHASE_RESTARTING -> end.nextAttempt(draft, entry, notBefore(draft, entry.job()));
            default -> throw new IllegalStateException("all tasks are over in phase " + phase(entry));
        }
    }

    /** A wait is due where a failure ended the attempt, which set the mark; it counts from the end of the last task. */
    private static long notBefore(Draft draft, Job job) {
        return job.getStatus().getNotBeforeMillis() == 0
                ? 0
                : draft.timeMillis()
                        + Backoff.millis(draft, job.getUid(), job.getSpec().getRetry(), job.getStatus());
    }

    private static String ending(Task task) {
        String how = task.getSignal() != 0 ? "signal " + task.getSignal() : "exit code " + task.getExitCode();
        return Tasks.cut(task.getReason().isEmpty() ? how : task.getReason());
    }

    private static JobPhase phase(JobEntry entry) {
        return entry.job().getStatus().getPhase();
    }

    private static JobEntry entry(Draft draft, String uid) {
        return draft.state().job(uid).orElseThrow();
    }
}
