package io.surestate.statemachine.job;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What agents tell of tasks. A report about what the ledger does not have, or of another epoch, changes nothing. */
public final class TaskReports {
    private final Gang gang = new Gang();

    /** Applies reports of one node in their order, then lets each gang draw its consequences once. */
    public void apply(Draft draft, String node, List<TaskReport> reports) {
        TreeMap<String, Boolean> startedBefore = new TreeMap<>();
        for (TaskReport report : reports) {
            Optional<Allocation> allocation = meant(draft, node, report);
            if (allocation.isPresent()) {
                JobEntry job = jobOf(draft, allocation.get());
                startedBefore.putIfAbsent(job.job().getUid(), job.allStarted());
                apply(draft, allocation.get(), report);
            }
        }
        startedBefore.forEach((uid, started) -> gang.settle(draft, uid, started));
    }

    /** Ends tasks that are known to be dead without the agent saying so. */
    public void lose(Draft draft, List<Allocation> allocations, String reason) {
        TreeMap<String, Boolean> startedBefore = new TreeMap<>();
        for (Allocation allocation : allocations) {
            JobEntry job = jobOf(draft, allocation);
            startedBefore.putIfAbsent(job.job().getUid(), job.allStarted());
            Task.Builder lost = Tasks.move(taskOf(draft, allocation), TaskState.TASK_STATE_LOST)
                    .setReason(reason);
            gang.ended(draft, Tasks.end(draft, lost, allocation));
        }
        startedBefore.forEach((uid, started) -> gang.settle(draft, uid, started));
    }

    private static Optional<Allocation> meant(Draft draft, String node, TaskReport report) {
        return draft.state()
                .node(node)
                .flatMap(entry -> entry.allocation(report.getAllocationId()))
                .filter(allocation -> allocation.getEpoch() == report.getEpoch())
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
        }
    }

    private static void move(Draft draft, Task.Builder task, TaskReport report) {
        TaskState to = report.getState();
        task.setState(to).setReason(Tasks.cut(report.getReason()));
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

    private static JobEntry jobOf(Draft draft, Allocation allocation) {
        return draft.state().job(allocation.getTask().getJobUid()).orElseThrow();
    }

    private static Task taskOf(Draft draft, Allocation allocation) {
        TaskRef ref = allocation.getTask();
        return jobOf(draft, allocation)
                .task(ref.getGroup(), ref.getIndex())
                .filter(task -> task.getAttempt() == ref.getAttempt())
                .orElseThrow();
    }
}
