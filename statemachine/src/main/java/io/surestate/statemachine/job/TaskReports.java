package io.surestate.statemachine.job;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.JobEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What agents tell of tasks. A report about what the ledger does not have, or of another epoch, changes nothing. */
public final class TaskReports {
    private final Gang gang = new Gang();

    /**
     * Applies reports of one node in their order, then lets each gang draw its consequences once. Returns the allocations that the ledger
     * does not have, or has in another epoch.
     */
    public List<String> apply(Draft draft, String node, List<TaskReport> reports) {
        List<String> stale = new ArrayList<>();
        TreeMap<String, Boolean> startedBefore = new TreeMap<>();
        for (TaskReport report : reports) {
            Optional<Allocation> allocation = meant(draft, node, report);
            Optional<JobEntry> job = allocation.flatMap(place -> jobOf(draft, place));
            if (allocation.isEmpty()) {
                stale.add(report.getAllocationId());
            } else if (job.isPresent()) {
                startedBefore.putIfAbsent(job.get().job().getUid(), job.get().allStarted());
                apply(draft, allocation.get(), report);
            } else if (TaskTransitions.isFinal(report.getState())) {
                draft.release(allocation.get(), Tasks.cut(report.getReason()));
            }
        }
        startedBefore.forEach((uid, started) -> gang.settle(draft, uid, started));
        return stale;
    }

    /** Frees places whose tasks are known to be dead without the agent saying so. */
    public void lose(Draft draft, List<Allocation> places, String reason) {
        TreeMap<String, Boolean> startedBefore = new TreeMap<>();
        for (Allocation place : places) {
            Optional<JobEntry> job = jobOf(draft, place);
            if (job.isEmpty()) {
                draft.release(place, reason);
                continue;
            }
            startedBefore.putIfAbsent(job.get().job().getUid(), job.get().allStarted());
            Task.Builder lost =
                    Tasks.move(taskOf(draft, place), TaskState.TASK_STATE_LOST).setReason(reason);
            gang.ended(draft, Tasks.end(draft, lost, place));
        }
        startedBefore.forEach((uid, started) -> gang.settle(draft, uid, started));
    }

    /** Whether something may run there: a task's place that is BOUND or RELEASING. */
    public static boolean mayRun(Allocation allocation) {
        return allocation.hasTask()
                && (allocation.getState() == AllocationState.ALLOCATION_STATE_BOUND
                        || allocation.getState() == AllocationState.ALLOCATION_STATE_RELEASING);
    }

    private static Optional<Allocation> meant(Draft draft, String node, TaskReport report) {
        return draft.state()
                .allocation(node, report.getAllocationId())
                .filter(allocation -> allocation.getEpoch() == report.getEpoch())
                .filter(TaskReports::mayRun)
                .filter(allocation -> !report.hasTask() || allocation.getTask().equals(report.getTask()));
    }

    private void apply(Draft draft, Allocation allocation, TaskReport report) {
        Task before = taskOf(draft, allocation);
        Task.Builder after = before.toBuilder();
        if (report.getCheckpointStep() > before.getCheckpointStep()) {
            after.setCheckpointStep(report.getCheckpointStep());
        }
        boolean moves = TaskTransitions.reportable(report.getState())
                && TaskTransitions.allowed(before.getState(), report.getState());
        if (moves) {
            move(draft, after, report);
        } else if (report.getPid() > 0 && report.getState() == before.getState()) {
            after.setPid(report.getPid());
        }
        if (moves && TaskTransitions.isFinal(report.getState())) {
            gang.ended(draft, Tasks.end(draft, after, allocation));
        } else if (!after.build().equals(before)) {
            draft.put(after);
            if (after.getState() == TaskState.TASK_STATE_STOPPING) {
                Tasks.releasing(draft, before, after.getReason());
            }
        }
    }

    private static void move(Draft draft, Task.Builder task, TaskReport report) {
        TaskState to = report.getState();
        task.setState(to);
        if (!task.getLeaving()) {
            // Why it leaves says more than how it ended.
            task.setReason(Tasks.cut(report.getReason()));
        }
        if (report.getPid() > 0) {
            task.setPid(report.getPid());
        }
        boolean ran = to == TaskState.TASK_STATE_RUNNING || to == TaskState.TASK_STATE_SUCCEEDED;
        if (ran && task.getStartedMillis() == 0) {
            task.setStartedMillis(Math.max(1, draft.timeMillis()));
        }
        if (TaskTransitions.isFinal(to)) {
            task.setExitCode(report.getExitCode()).setSignal(report.getSignal());
        }
    }

    /** The live job whose present attempt has this place; a place that was taken from its job by force has none. */
    private static Optional<JobEntry> jobOf(Draft draft, Allocation allocation) {
        TaskRef ref = allocation.getTask();
        return draft.state()
                .job(ref.getJobUid())
                .filter(job -> job.task(ref.getGroup(), ref.getIndex())
                        .filter(task -> task.getAttempt() == ref.getAttempt())
                        .isPresent());
    }

    private static Task taskOf(Draft draft, Allocation allocation) {
        TaskRef ref = allocation.getTask();
        return jobOf(draft, allocation)
                .flatMap(job -> job.task(ref.getGroup(), ref.getIndex()))
                .orElseThrow();
    }
}
