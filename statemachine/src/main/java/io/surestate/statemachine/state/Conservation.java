package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Checks that nothing is given twice and nothing is forgotten: per node what is held and what is free make up what there is, each
 * placed task has its allocation and each allocation its task, and every index says what the entities say.
 */
public final class Conservation {
    private Conservation() {}

    /** Everything that is wrong with a state, for people; empty = nothing. Walks the whole state. */
    public static List<String> problems(ClusterState state) {
        List<String> found = new ArrayList<>();
        state.nodes().forEach(node -> nodeProblems(state, node, found));
        state.jobs().forEach(job -> jobProblems(state, job, found));
        countProblems(state, found);
        return found;
    }

    /** Checks the nodes that the changes of one entry touched, in time that does not grow with the state. */
    public static void checkTouched(ClusterState state, List<Change> changes) {
        TreeSet<String> nodes = new TreeSet<>();
        for (Change change : changes) {
            if (change instanceof Change.AllocationPut put) {
                nodes.add(put.allocation().getNode());
            } else if (change instanceof Change.AllocationRemoved removed) {
                nodes.add(removed.allocation().getNode());
            }
        }
        for (String name : nodes) {
            NodeEntry node = state.node(name).orElseThrow();
            Invariants.check(
                    node.free().equals(node.capacity().leftAfter(node.held())),
                    "held and free of node %s make up its capacity",
                    name);
            Invariants.check(
                    !node.allocations().isEmpty() || node.held().equals(Amounts.NOTHING),
                    "node %s without allocations holds nothing",
                    name);
        }
    }

    private static void nodeProblems(ClusterState state, NodeEntry node, List<String> found) {
        String name = node.node().getName();
        Amounts sum = Amounts.NOTHING;
        for (Allocation allocation : node.allocations()) {
            sum = sum.plus(Amounts.of(allocation.getClaim()));
            expect(found, allocation.getNode().equals(name), "allocation " + allocation.getId() + " on " + name);
            expect(found, hasOwner(state, allocation), "owner of allocation " + allocation.getId());
        }
        expect(found, sum.equals(node.held()), "held on " + name + ": " + node.held() + ", claims: " + sum);
        expect(found, node.free().equals(node.capacity().leftAfter(sum)), "free on " + name + ": " + node.free());
    }

    private static boolean hasOwner(ClusterState state, Allocation allocation) {
        TaskRef ref = allocation.getTask();
        return state.job(ref.getJobUid())
                .flatMap(job -> job.task(ref.getGroup(), ref.getIndex()))
                .filter(task -> task.getAttempt() == ref.getAttempt())
                .filter(task -> task.getAllocationId().equals(allocation.getId()))
                .filter(task -> placed(task.getState()))
                .isPresent();
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
            taskProblems(state, job, task, found);
        }
    }

    private static void taskProblems(ClusterState state, Job job, Task task, List<String> found) {
        String label = "task " + task.getGroup() + "/" + task.getIndex() + " of " + job.getUid() + " is "
                + task.getState() + " in phase " + job.getStatus().getPhase();
        boolean held = state.node(task.getNode())
                .flatMap(node -> node.allocation(task.getAllocationId()))
                .isPresent();
        boolean pending = job.getStatus().getPhase() == JobPhase.JOB_PHASE_PENDING;
        expect(found, held == placed(task.getState()), label + ", allocation " + held);
        expect(found, pending == (task.getState() == TaskState.TASK_STATE_PENDING), label);
        expect(found, task.getAttempt() == job.getStatus().getAttempt(), label + ", attempt " + task.getAttempt());
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

    private static boolean placed(TaskState state) {
        return switch (state) {
            case TASK_STATE_ALLOCATED, TASK_STATE_STARTING, TASK_STATE_RUNNING, TASK_STATE_STOPPING -> true;
            default -> false;
        };
    }

    private static void expect(List<String> found, boolean holds, String what) {
        if (!holds) {
            found.add(what);
        }
    }
}
