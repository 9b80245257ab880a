package io.surestate.server.node;

import io.surestate.api.GroupSize;
import io.surestate.api.Limits;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.job.TaskReports;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;
import java.util.Optional;

/** What a node should run, read off the state. Pure. */
final class DesiredTasks {
    private DesiredTasks() {}

    static List<DesiredTask> of(ClusterState state, String node) {
        return state.node(node)
                .map(entry -> entry.allocations().stream()
                        .flatMap(allocation -> desired(state, allocation).stream())
                        .toList())
                .orElse(List.of());
    }

    private static Optional<DesiredTask> desired(ClusterState state, Allocation allocation) {
        if (!TaskReports.mayRun(allocation)) {
            return Optional.empty();
        }
        Optional<JobEntry> job = state.job(allocation.getTask().getJobUid());
        Optional<DesiredTask> owned = job.flatMap(entry -> entry.task(
                        allocation.getTask().getGroup(), allocation.getTask().getIndex())
                .filter(task -> task.getAttempt() == allocation.getTask().getAttempt())
                .map(task -> desired(entry, task, allocation)));
        return owned.or(() -> Optional.of(orphan(allocation)));
    }

    /** Its job was removed by force: it is to be stopped and proven empty. */
    private static DesiredTask orphan(Allocation allocation) {
        return DesiredTask.newBuilder()
                .setAllocation(allocation)
                .setTenant(allocation.getTenant())
                .setOnLeaseEnd(allocation.getOnLeaseEnd())
                .setStop(true)
                .setGraceMillis(Limits.STOP_GRACE_MILLIS)
                .build();
    }

    private static DesiredTask desired(JobEntry entry, Task task, Allocation allocation) {
        Job job = entry.job();
        TaskGroup group = entry.group(task.getGroup()).orElseThrow();
        DesiredTask.Builder desired = DesiredTask.newBuilder()
                .setAllocation(allocation)
                .setJobName(job.getName())
                .setTenant(job.getTenant())
                .setGroup(group.toBuilder().setCount(joined(entry, group)))
                .setOnLeaseEnd(allocation.getOnLeaseEnd())
                .setResumeStep(job.getStatus().getCheckpoint().getStep())
                .setStarted(started(task.getState()))
                .setStop(allocation.getState() == AllocationState.ALLOCATION_STATE_RELEASING)
                .setCheckpointFirst(job.getStatus().getPlannedStop())
                .setGraceMillis(Limits.STOP_GRACE_MILLIS);
        if (job.getSpec().hasCheckpoint()) {
            desired.setCheckpoint(job.getSpec().getCheckpoint());
        }
        return desired.build();
    }

    /** Tasks of the group that have a place: what the task is told of its group's size. */
    private static int joined(JobEntry entry, TaskGroup group) {
        return !GroupSize.elastic(group)
                ? group.getCount()
                : Math.toIntExact(entry.tasks().stream()
                        .filter(other -> other.getGroup().equals(group.getName()))
                        .filter(other -> other.getState() != TaskState.TASK_STATE_PENDING && !other.getLeaving())
                        .count());
    }

    /** Whether the ledger heard of a start. A task that stops may never have started; the agent knows. */
    private static boolean started(TaskState state) {
        return state == TaskState.TASK_STATE_STARTING || state == TaskState.TASK_STATE_RUNNING;
    }
}
