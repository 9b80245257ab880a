package io.surestate.statemachine.state;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks that nothing is given twice and nothing is forgotten: per node, as sets, what is free, held, bound, releasing, nominated and
 * quarantined makes up what there is; each placed task has its allocation and each allocation its owner; and every index says what the
 * entities say.
 */
public final class Conservation {
    /** Tasks whose allocation is BOUND. */
    private static final Set<TaskState> PLACED =
            EnumSet.of(TaskState.TASK_STATE_ALLOCATED, TaskState.TASK_STATE_STARTING, TaskState.TASK_STATE_RUNNING);

    private Conservation() {}

    /** Everything that is wrong with a state, for people; empty = nothing. Walks the whole state. */
    public static List<String> problems(ClusterState state) {
        List<String> found = new ArrayList<>();
        state.nodes().forEach(node -> nodeProblems(state, node, found));
        state.jobs().forEach(job -> jobProblems(state, job, found));
        state.holds().forEach(hold -> holdProblems(state, hold, found));
        countProblems(state, found);
        return found;
    }

    /** Counts again every node that the changes of one entry touched, in time that does not grow with the state. */
    public static void checkTouched(ClusterState state, List<Change> changes) {
        Set<String> nodes = new LinkedHashSet<>();
        for (Change change : changes) {
            if (change instanceof Change.AllocationPut put) {
                nodes.add(put.allocation().getNode());
            } else if (change instanceof Change.AllocationRemoved removed) {
                nodes.add(removed.allocation().getNode());
            } else if (change instanceof Change.NodePut put) {
                nodes.add(put.node().getName());
            }
        }
        for (String name : nodes) {
            List<String> problems = new NodeCount(state.node(name).orElseThrow()).problems();
            Invariants.check(problems.isEmpty(), "conservation on node %s: %s", name, problems);
        }
    }

    private static void nodeProblems(ClusterState state, NodeEntry node, List<String> found) {
        String name = node.node().getName();
        found.addAll(new NodeCount(node).problems());
        expect(found, node.cordoned() == state.cordonedNodes().contains(node), "index of cordoned nodes, " + name);
        boolean probation = node.probationEndsMillis() != Long.MAX_VALUE;
        expect(found, probation == state.nodesOnProbation().contains(node), "index of probations, " + name);
        for (Allocation allocation : node.allocations()) {
            expect(found, allocation.getNode().equals(name), "allocation " + allocation.getId() + " on " + name);
            expect(
                    found,
                    hasOwner(state, allocation),
                    "owner of " + allocation.getState() + " allocation " + allocation.getId());
        }
    }

    private static boolean hasOwner(ClusterState state, Allocation allocation) {
        boolean named = allocation.getOwnerCase() == Allocation.OwnerCase.NAME;
        boolean indexed = !named
                || state.named(allocation.getTenant(), allocation.getName()).contains(allocation);
        return indexed
                && switch (allocation.getState()) {
                    case ALLOCATION_STATE_HELD ->
                        AllocationStates.isSpare(allocation)
                                ? keeper(state, allocation)
                                : state.heldBy(allocation.getHold()).contains(allocation)
                                        && state.hold(allocation.getHold())
                                                .filter(hold -> hold.getState() == HoldState.HOLD_STATE_STANDING)
                                                .isPresent();
                    case ALLOCATION_STATE_NOMINATED -> named || nominee(state, allocation);
                    case ALLOCATION_STATE_BOUND -> named || owningTask(state, allocation, PLACED);
                    // What was taken from a job by force outlives it.
                    case ALLOCATION_STATE_RELEASING ->
                        named
                                || !owningTask(
                                        state,
                                        allocation,
                                        EnumSet.complementOf(EnumSet.of(TaskState.TASK_STATE_STOPPING)));
                    default -> false;
                };
    }

    private static boolean nominee(ClusterState state, Allocation allocation) {
        String uid = allocation.getTask().getJobUid();
        return state.nominatedFor(uid).contains(allocation)
                && state.job(uid)
                        .map(job -> job.job().getStatus().getPhase())
                        .filter(phase ->
                                phase == JobPhase.JOB_PHASE_NOMINATED || phase == JobPhase.JOB_PHASE_RESTARTING)
                        .isPresent();
    }

    /** Whether a spare place is kept by a job that has places. */
    private static boolean keeper(ClusterState state, Allocation spare) {
        TaskRef ref = spare.getTask();
        return state.sparesOf(ref.getJobUid()).contains(spare)
                && state.job(ref.getJobUid())
                        .filter(job -> job.job().getStatus().getPhase() != JobPhase.JOB_PHASE_PENDING)
                        .flatMap(job -> job.group(ref.getGroup()))
                        .filter(group -> GroupSize.isSpare(group, ref.getIndex()))
                        .isPresent();
    }

    private static boolean owningTask(ClusterState state, Allocation allocation, Set<TaskState> states) {
        TaskRef ref = allocation.getTask();
        return state.job(ref.getJobUid())
                .flatMap(job -> job.task(ref.getGroup(), ref.getIndex()))
                .filter(task -> task.getAttempt() == ref.getAttempt())
                .filter(task -> task.getAllocationId().equals(allocation.getId()))
                .filter(task -> states.contains(task.getState()))
                .isPresent();
    }

    private static void holdProblems(ClusterState state, Hold hold, List<String> found) {
        boolean stands = hold.getState() == HoldState.HOLD_STATE_STANDING;
        int kept = state.heldBy(hold.getId()).size();
        expect(found, stands || kept == 0, "hold " + hold.getId() + " is over and keeps " + kept);
        expect(found, kept <= hold.getAllocations(), "hold " + hold.getId() + " keeps " + kept);
    }

    private static void jobProblems(ClusterState state, JobEntry entry, List<String> found) {
        Job job = entry.job();
        JobPhase phase = job.getStatus().getPhase();
        String uid = job.getUid();
        expect(found, !Phases.finished(phase), "live job " + uid + " is " + phase);
        expect(found, !entry.allFinal(), "live job " + uid + " has only tasks that are over");
        expect(
                found,
                state.liveJob(job.getTenant(), job.getName())
                        .filter(named -> named == entry)
                        .isPresent(),
                "name of job " + uid);
        expect(
                found,
                (phase == JobPhase.JOB_PHASE_PENDING) == state.pending().contains(PendingJob.of(job)),
                "line of pending jobs, job " + uid);
        for (Task task : entry.tasks()) {
            taskProblems(state, entry, task, found);
        }
        expect(
                found,
                entry.wantsMore() == state.growing().contains(PendingJob.of(job)),
                "line of growing jobs, job " + uid);
    }

    private static void taskProblems(ClusterState state, JobEntry entry, Task task, List<String> found) {
        Job job = entry.job();
        JobPhase phase = job.getStatus().getPhase();
        String label = "task " + task.getGroup() + "/" + task.getIndex() + " of " + job.getUid() + " is "
                + task.getState() + " in phase " + phase;
        Optional<AllocationState> place =
                state.allocation(task.getNode(), task.getAllocationId()).map(Allocation::getState);
        boolean waits = phase == JobPhase.JOB_PHASE_PENDING || phase == JobPhase.JOB_PHASE_NOMINATED;
        expect(
                found,
                place.filter(AllocationState.ALLOCATION_STATE_BOUND::equals).isPresent()
                        == PLACED.contains(task.getState()),
                label + ", allocation " + place);
        expect(
                found,
                place.filter(AllocationState.ALLOCATION_STATE_RELEASING::equals).isPresent()
                        == (task.getState() == TaskState.TASK_STATE_STOPPING),
                label + ", allocation " + place);
        boolean open = task.getState() == TaskState.TASK_STATE_PENDING;
        boolean elastic =
                entry.group(task.getGroup()).filter(GroupSize::elastic).isPresent();
        expect(found, waits ? open : !open || elastic, label);
        expect(found, task.getAttempt() <= job.getStatus().getAttempt(), label + ", attempt " + task.getAttempt());
    }

    private static void countProblems(ClusterState state, List<String> found) {
        Counts counts = state.counts();
        expect(found, counts.liveJobs() == state.jobs().size(), "live jobs " + counts);
        expect(found, counts.pendingJobs() == state.pending().size(), "pending jobs " + counts);
        expect(
                found,
                counts.liveTasks()
                        == state.jobs().stream()
                                .mapToInt(job -> job.tasks().size())
                                .sum(),
                "live tasks " + counts);
        expect(
                found,
                counts.allocations()
                        == state.nodes().stream()
                                .mapToInt(node -> node.allocations().size())
                                .sum(),
                "allocations " + counts);
    }

    private static void expect(List<String> found, boolean holds, String what) {
        if (!holds) {
            found.add(what);
        }
    }
}
