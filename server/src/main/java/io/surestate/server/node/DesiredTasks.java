package io.surestate.server.node;

import io.surestate.api.GroupSize;
import io.surestate.api.Limits;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.DesiredState;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Gang;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Rank;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.job.TaskReports;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.JobEntry;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** What a node should run, read off the state. Pure. */
final class DesiredTasks {
    private DesiredTasks() {}

    /** Tasks and gangs; a revision is for the session to give. */
    static DesiredState of(Lineups lineups, String node) {
        DesiredState.Builder desired = DesiredState.newBuilder();
        Map<String, Gang> gangs = new TreeMap<>();
        lineups.state()
                .node(node)
                .ifPresent(entry -> entry.allocations().stream()
                        .flatMap(allocation -> desired(lineups.state(), allocation).stream())
                        .forEach(task -> desired.addTasks(ranked(task, lineups, gangs))));
        return desired.addAllGangs(gangs.values()).build();
    }

    /** Gangs are large: only what is still to start is told of its own. */
    private static DesiredTask ranked(DesiredTask task, Lineups lineups, Map<String, Gang> gangs) {
        TaskRef ref = task.getAllocation().getTask();
        Optional<JobEntry> job =
                lineups.state().job(ref.getJobUid()).filter(entry -> !task.getStarted() && !task.getStop());
        OptionalInt position =
                job.map(entry -> entry.position(ref.getGroup(), ref.getIndex())).orElse(OptionalInt.empty());
        if (job.isEmpty() || position.isEmpty()) {
            return task;
        }
        Lineups.Lineup lineup = lineups.of(job.get());
        Rank rank = lineup.ranks().get(position.getAsInt());
        if (rank == null) {
            return task;
        }
        gangs.put(ref.getJobUid(), lineup.gang());
        return task.toBuilder().setRank(rank).build();
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
                        .filter(Lineups::isMember)
                        .count());
    }

    /** Whether the ledger heard of a start. A task that stops may never have started; the agent knows. */
    private static boolean started(TaskState state) {
        return state == TaskState.TASK_STATE_STARTING || state == TaskState.TASK_STATE_RUNNING;
    }
}
