package io.surestate.statemachine.model;

import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.model.NaiveState.NAllocation;
import io.surestate.statemachine.model.NaiveState.NJob;
import io.surestate.statemachine.model.NaiveState.NTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Jobs and their gangs. */
final class NaiveJobs {
    private static final Set<TaskState> FINAL = Set.of(
            TaskState.TASK_STATE_SUCCEEDED,
            TaskState.TASK_STATE_FAILED,
            TaskState.TASK_STATE_LOST,
            TaskState.TASK_STATE_PREEMPTED,
            TaskState.TASK_STATE_CANCELLED);
    private static final List<TaskState> ORDER = List.of(
            TaskState.TASK_STATE_PENDING,
            TaskState.TASK_STATE_ALLOCATED,
            TaskState.TASK_STATE_STARTING,
            TaskState.TASK_STATE_RUNNING,
            TaskState.TASK_STATE_STOPPING);

    private final NaiveState state;

    NaiveJobs(NaiveState state) {
        this.state = state;
    }

    static boolean stops(JobSpec spec) {
        return spec.getOnLeaseEnd() == LeaseEnd.LEASE_END_STOP
                || (spec.getOnLeaseEnd() == LeaseEnd.LEASE_END_UNSPECIFIED && spec.hasCheckpoint());
    }

    Optional<NJob> named(String tenant, String name) {
        return state.jobs.values().stream()
                .filter(job -> job.tenant.equals(tenant) && job.name.equals(name))
                .findFirst();
    }

    NJob submit(String uid, String tenant, String name, JobSpec spec) {
        NJob job = new NJob();
        job.uid = uid;
        job.tenant = tenant;
        job.name = name;
        job.spec = spec;
        for (TaskGroup group : spec.getGroupsList()) {
            for (int i = 0; i < group.getCount(); i++) {
                NTask task = new NTask();
                task.group = group.getName();
                task.index = i;
                job.tasks.add(task);
            }
        }
        state.jobs.put(uid, job);
        return job;
    }

    void cancel(NJob job, boolean force) {
        job.generation++;
        job.phase = JobPhase.JOB_PHASE_CANCELLING;
        dropNominations(job.uid);
        for (NTask task : job.tasks) {
            if (task.state == TaskState.TASK_STATE_PENDING || (force && !FINAL.contains(task.state))) {
                place(task).ifPresent(NaiveJobs::releasing);
                task.state = TaskState.TASK_STATE_CANCELLED;
            }
        }
        stop(job);
        settle(job);
    }

    void preempt(NJob job) {
        if (job.phase == JobPhase.JOB_PHASE_RUNNING) {
            job.phase = JobPhase.JOB_PHASE_RESTARTING;
            job.notBefore = 0;
            stop(job);
        }
    }

    void withdraw(NJob job) {
        dropNominations(job.uid);
        job.phase = JobPhase.JOB_PHASE_PENDING;
    }

    private void dropNominations(String uid) {
        state.allocations
                .values()
                .removeIf(allocation ->
                        allocation.job.equals(uid) && allocation.state == AllocationState.ALLOCATION_STATE_NOMINATED);
    }

    void bind(NJob job, List<NAllocation> places) {
        for (NAllocation place : places) {
            place.state = AllocationState.ALLOCATION_STATE_BOUND;
            NTask task = task(job, place.group, place.index).orElseThrow();
            task.state = TaskState.TASK_STATE_ALLOCATED;
            task.allocation = place.id;
        }
        job.phase = JobPhase.JOB_PHASE_RUNNING;
        job.notBefore = 0;
    }

    /** Ids that nothing here is known about. */
    List<String> report(String node, List<TaskReport> reports) {
        List<String> stale = new ArrayList<>();
        TreeSet<String> touched = new TreeSet<>();
        for (TaskReport report : reports) {
            NAllocation place = state.allocations.get(report.getAllocationId());
            boolean meant =
                    place != null && place.node.equals(node) && place.epoch == report.getEpoch() && place.mayRun();
            Optional<NJob> job = meant ? owner(place) : Optional.empty();
            if (!meant) {
                stale.add(report.getAllocationId());
            } else if (job.isPresent()) {
                touched.add(job.get().uid);
                report(job.get(), place, report.getState());
            } else if (FINAL.contains(report.getState())) {
                state.allocations.remove(place.id);
            }
        }
        touched.forEach(uid -> settle(state.jobs.get(uid)));
        return stale;
    }

    private void report(NJob job, NAllocation place, TaskState to) {
        NTask task = task(job, place.group, place.index).orElseThrow();
        boolean told = to != TaskState.TASK_STATE_PENDING
                && to != TaskState.TASK_STATE_ALLOCATED
                && to != TaskState.TASK_STATE_PREEMPTED;
        boolean later = FINAL.contains(to) || ORDER.indexOf(to) > ORDER.indexOf(task.state);
        if (!told || !later || FINAL.contains(task.state)) {
            return;
        }
        task.state = to;
        if (FINAL.contains(to)) {
            state.allocations.remove(place.id);
            ended(job, to);
        } else if (to == TaskState.TASK_STATE_STOPPING) {
            releasing(place);
        }
    }

    void lose(List<NAllocation> places) {
        TreeSet<String> touched = new TreeSet<>();
        for (NAllocation place : places) {
            state.allocations.remove(place.id);
            owner(place).ifPresent(job -> {
                touched.add(job.uid);
                task(job, place.group, place.index).orElseThrow().state = TaskState.TASK_STATE_LOST;
                ended(job, TaskState.TASK_STATE_LOST);
            });
        }
        touched.forEach(uid -> settle(state.jobs.get(uid)));
    }

    private void ended(NJob job, TaskState how) {
        if (job.phase != JobPhase.JOB_PHASE_RUNNING || how == TaskState.TASK_STATE_SUCCEEDED) {
            return;
        }
        job.phase = JobPhase.JOB_PHASE_RESTARTING;
        job.notBefore = 0;
        if (how == TaskState.TASK_STATE_FAILED) {
            job.failures++;
            if (job.failures >= Math.max(1, job.spec.getRetry().getMaxAttempts())) {
                job.phase = JobPhase.JOB_PHASE_FAILING;
            } else {
                job.notBefore = state.timeMillis + backoff(job);
            }
        }
        stop(job);
    }

    private static long backoff(NJob job) {
        long wait = job.spec.getRetry().getBackoffMillis() == 0
                ? 1_000
                : job.spec.getRetry().getBackoffMillis();
        for (int i = 1; i < job.failures; i++) {
            wait = Math.min(600_000, wait * 2);
        }
        return wait;
    }

    private void stop(NJob job) {
        for (NTask task : job.tasks) {
            boolean runs = task.state == TaskState.TASK_STATE_ALLOCATED
                    || task.state == TaskState.TASK_STATE_STARTING
                    || task.state == TaskState.TASK_STATE_RUNNING;
            if (runs) {
                task.state = TaskState.TASK_STATE_STOPPING;
                place(task).ifPresent(NaiveJobs::releasing);
            }
        }
    }

    private static void releasing(NAllocation place) {
        if (place.state == AllocationState.ALLOCATION_STATE_BOUND) {
            place.state = AllocationState.ALLOCATION_STATE_RELEASING;
        }
    }

    private void settle(NJob job) {
        if (!job.tasks.stream().allMatch(task -> FINAL.contains(task.state))) {
            return;
        }
        if (job.phase == JobPhase.JOB_PHASE_RESTARTING) {
            job.attempt++;
            job.phase = JobPhase.JOB_PHASE_PENDING;
            job.notBefore = job.notBefore == 0 ? 0 : state.timeMillis + backoff(job);
            for (NTask task : job.tasks) {
                task.state = TaskState.TASK_STATE_PENDING;
                task.allocation = "";
            }
        } else {
            state.jobs.remove(job.uid);
            state.finished++;
        }
    }

    private Optional<NJob> owner(NAllocation place) {
        return Optional.ofNullable(state.jobs.get(place.job)).filter(job -> job.attempt == place.attempt);
    }

    static Optional<NTask> task(NJob job, String group, int index) {
        return job.tasks.stream()
                .filter(task -> task.group.equals(group) && task.index == index)
                .findFirst();
    }

    private Optional<NAllocation> place(NTask task) {
        return Optional.ofNullable(state.allocations.get(task.allocation));
    }
}
