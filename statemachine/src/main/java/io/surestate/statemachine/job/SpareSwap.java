package io.surestate.statemachine.job;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Lost tasks move to spare places, in the command that tells of the loss, so that nobody takes a place in between. A gang that goes on gets the task back
 * there at once. One that starts again is promised the places of the tasks that are left, and a spare one, near the others, for each that is lost; or for
 * each that must leave its place.
 */
final class SpareSwap {
    private SpareSwap() {}

    /**
     * Promises every place of the next attempt, if each task that is lost or goes has a spare one; else nothing. The job is being stopped.
     *
     * @param goes tasks that run and must not keep their places
     * @return whether it did
     */
    static boolean promise(Draft draft, String uid, Predicate<Task> goes) {
        Draft branch = draft.branch();
        JobEntry entry = branch.state().job(uid).orElseThrow();
        boolean whole = entry.tasks().stream()
                .filter(task -> task.getState() != TaskState.TASK_STATE_PENDING && !task.getLeaving())
                .allMatch(task -> stays(task, goes) ? keep(branch, entry, task) : swap(branch, entry, task));
        if (whole) {
            draft.take(branch);
        }
        return whole;
    }

    /** The task joins the gang that lost it, if there is a spare place for it. */
    static void rejoin(Draft draft, Task open) {
        JobEntry entry = draft.state().job(open.getJobUid()).orElseThrow();
        Draft branch = draft.branch();
        Optional<Allocation> spare = spare(branch, entry, open);
        spare.ifPresent(place -> {
            take(branch, open, place);
            NodeEntry node = branch.state().node(place.getNode()).orElseThrow();
            if (node.free().covers(Amounts.of(place.getClaim()))) {
                Allocation bound = branch.put(
                        like(branch, place, open, open.getAttempt()).setState(AllocationState.ALLOCATION_STATE_BOUND));
                Tasks.allocate(branch, open, bound);
                draft.take(branch);
            }
        });
    }

    /** One that was promised to stay is lost too: it moves as well, or all that was promised is taken back. */
    static void alsoLost(Draft draft, Task task) {
        JobEntry entry = draft.state().job(task.getJobUid()).orElseThrow();
        Optional<Allocation> promised = draft.state().nominatedFor(task.getJobUid()).stream()
                .filter(place -> place.getTask().getGroup().equals(task.getGroup())
                        && place.getTask().getIndex() == task.getIndex())
                // Elsewhere it has nothing to do with this loss.
                .filter(place -> place.getNode().equals(task.getNode()))
                .findFirst();
        if (promised.isEmpty()) {
            return;
        }
        Draft branch = draft.branch();
        branch.release(promised.get(), "task " + Tasks.label(task) + " lost");
        if (swap(branch, entry, task)) {
            draft.take(branch);
        } else {
            JobPlaces.withdraw(draft, task.getJobUid(), "no spare place for task " + Tasks.label(task));
        }
    }

    private static boolean stays(Task task, Predicate<Task> goes) {
        return isStopping(task) && !goes.test(task);
    }

    /** Being stopped, its place counted until it is proven empty. */
    private static boolean isStopping(Task task) {
        return task.getState() == TaskState.TASK_STATE_STOPPING;
    }

    private static boolean keep(Draft draft, JobEntry entry, Task task) {
        return draft.state()
                .allocation(task.getNode(), task.getAllocationId())
                .filter(place -> promise(draft, entry, task, place))
                .isPresent();
    }

    private static boolean swap(Draft draft, JobEntry entry, Task task) {
        if (task.getState() != TaskState.TASK_STATE_LOST && !isStopping(task)) {
            return false;
        }
        Optional<Allocation> spare = spare(draft, entry, task);
        spare.ifPresent(place -> take(draft, task, place));
        return spare.filter(place -> promise(draft, entry, task, place)).isPresent();
    }

    /** One of the task's slice, on a node that is well. */
    private static Optional<Allocation> spare(Draft draft, JobEntry entry, Task task) {
        TaskGroup group = entry.group(task.getGroup()).orElseThrow();
        return draft.state().sparesOf(task.getJobUid()).stream()
                .filter(place -> place.getTask().getGroup().equals(task.getGroup()))
                .filter(place ->
                        GroupSize.slice(group, place.getTask().getIndex()) == GroupSize.slice(group, task.getIndex()))
                .filter(place -> usable(draft, place))
                // Who leaves a node does not stay on it.
                .filter(place -> !isStopping(task) || !place.getNode().equals(task.getNode()))
                .findFirst();
    }

    private static void take(Draft draft, Task task, Allocation spare) {
        draft.release(spare, "taken for task " + Tasks.label(task));
        JobEdit edit = new JobEdit(
                draft, draft.state().job(task.getJobUid()).orElseThrow().job());
        edit.event(JobEventKind.JOB_EVENT_KIND_SWAPPED, task, "moves to " + spare.getNode());
        edit.commit();
    }

    private static boolean usable(Draft draft, Allocation place) {
        NodeEntry node = draft.state().node(place.getNode()).orElseThrow();
        return node.schedulable()
                && place.getClaim().getDevicesList().stream()
                        .map(DeviceShare::getOrdinal)
                        .noneMatch(node::quarantined);
    }

    /** Where hardware went away there may be no room for it, and nothing new is promised on a cordoned node. */
    private static boolean promise(Draft draft, JobEntry entry, Task task, Allocation like) {
        NodeEntry node = draft.state().node(like.getNode()).orElseThrow();
        if (node.cordoned() || !node.nominable().covers(Amounts.of(like.getClaim()))) {
            return false;
        }
        int next = entry.job().getStatus().getAttempt() + 1;
        draft.put(like(draft, like, task, next).setState(AllocationState.ALLOCATION_STATE_NOMINATED));
        return true;
    }

    /** A new allocation of the task on just that place. */
    private static Allocation.Builder like(Draft draft, Allocation place, Task task, int attempt) {
        return place.toBuilder()
                .setId(draft.nextId())
                .setTask(TaskRef.newBuilder()
                        .setJobUid(task.getJobUid())
                        .setGroup(task.getGroup())
                        .setIndex(task.getIndex())
                        .setAttempt(attempt))
                .setEpoch(draft.index())
                .setCreatedMillis(draft.timeMillis())
                .setChangedMillis(draft.timeMillis())
                .clearHold()
                .clearReason();
    }
}
