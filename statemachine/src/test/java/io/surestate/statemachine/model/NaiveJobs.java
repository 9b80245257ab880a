package io.surestate.statemachine.model;

import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.model.NaiveState.NAllocation;
import io.surestate.statemachine.model.NaiveState.NJob;
import io.surestate.statemachine.model.NaiveState.NTask;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Jobs and their gangs. */
final class NaiveJobs {
    private static final BigInteger TWO_TO_64 = BigInteger.TWO.pow(64);
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
        TaskGroup group = spec.getGroups(0);
        boolean goesOn = spec.hasCheckpoint()
                || (group.getMinCount() != 0 && group.getMinCount() < group.getCount())
                || group.getSpares() > 0;
        return spec.getOnLeaseEnd() == LeaseEnd.LEASE_END_STOP
                || (spec.getOnLeaseEnd() == LeaseEnd.LEASE_END_UNSPECIFIED && goesOn);
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
        job.target = spec.getGroups(0).getCount();
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

    void preempt(NAllocation place) {
        NJob job = state.jobs.get(place.job);
        NTask task = task(job, place.group, place.index).orElseThrow();
        if (job.phase == JobPhase.JOB_PHASE_RUNNING && dispensable(job, task)) {
            leave(job, task);
        } else if (job.phase == JobPhase.JOB_PHASE_RUNNING) {
            job.phase = JobPhase.JOB_PHASE_RESTARTING;
            job.notBefore = 0;
            stop(job);
        }
    }

    String resize(String tenant, String name, int count) {
        Optional<NJob> found = named(tenant, name);
        if (found.isEmpty()) {
            return "NOT_FOUND";
        }
        NJob job = found.get();
        if (job.phase == JobPhase.JOB_PHASE_CANCELLING || job.phase == JobPhase.JOB_PHASE_FAILING) {
            return "ILLEGAL_STATE";
        }
        TaskGroup group = job.spec.getGroups(0);
        if (group.getMinCount() == 0 || group.getMinCount() == group.getCount()) {
            return "INVALID_ARGUMENT";
        }
        if (count < group.getMinCount() || count > group.getCount()) {
            return "INVALID_ARGUMENT";
        }
        if (count != job.target) {
            boolean promised = state.allocations.values().stream()
                    .anyMatch(place ->
                            place.job.equals(job.uid) && place.state == AllocationState.ALLOCATION_STATE_NOMINATED);
            if (promised) {
                withdraw(job);
            }
            job.target = count;
            job.generation++;
            if (job.phase == JobPhase.JOB_PHASE_RUNNING) {
                List<NTask> running = running(job);
                for (int i = running.size() - 1; i >= count; i--) {
                    leave(job, running.get(i));
                }
            }
        }
        return "job " + job.uid + " " + job.phase.name().replace("JOB_PHASE_", "");
    }

    private static List<NTask> running(NJob job) {
        return job.tasks.stream()
                .filter(task -> task.state == TaskState.TASK_STATE_ALLOCATED
                        || task.state == TaskState.TASK_STATE_STARTING
                        || task.state == TaskState.TASK_STATE_RUNNING)
                .toList();
    }

    private static boolean dispensable(NJob job, NTask task) {
        int min = job.spec.getGroups(0).getMinCount();
        return min != 0
                && min < job.tasks.size()
                && job.tasks.stream().noneMatch(other -> other.state == TaskState.TASK_STATE_SUCCEEDED)
                && running(job).stream().filter(other -> other != task).count() >= min;
    }

    /** Without new places; what is known of the state is another afterwards, even where nothing changes because it cannot be. */
    boolean leaveOrSwap(String uid, List<NAllocation> places) {
        NJob job = state.jobs.get(uid);
        List<NTask> going = places.stream()
                .map(place -> task(job, place.group, place.index).orElseThrow())
                .toList();
        int min = job.spec.getGroups(0).getMinCount();
        boolean dispensable = min != 0
                && min < job.tasks.size()
                && job.tasks.stream().noneMatch(other -> other.state == TaskState.TASK_STATE_SUCCEEDED)
                && running(job).size() - going.size() >= min;
        if (dispensable) {
            going.forEach(task -> leave(job, task));
            return true;
        }
        NaiveState before = state.copy();
        stopAsPlanned(job);
        if (promise(job, going)) {
            return true;
        }
        state.become(before);
        return false;
    }

    void stopToMove(NJob job) {
        stopAsPlanned(job);
        dropSpares(job.uid);
    }

    private void stopAsPlanned(NJob job) {
        job.phase = JobPhase.JOB_PHASE_RESTARTING;
        job.notBefore = 0;
        job.moves++;
        stop(job);
    }

    private void leave(NJob job, NTask task) {
        task.leaving = true;
        task.state = TaskState.TASK_STATE_STOPPING;
        place(task).ifPresent(NaiveJobs::releasing);
        job.generation++;
    }

    private void rejoin(NJob job, NTask task) {
        if (usableSpares(job).isEmpty()) {
            return;
        }
        NAllocation spare = usableSpares(job).get(0);
        NaiveState before = state.copy();
        state.allocations.remove(spare.id);
        boolean room = spare.claim.entrySet().stream()
                .allMatch(want -> state.free(spare.node, want.getKey()) >= want.getValue());
        if (!room) {
            allocationsAsIn(before);
            return;
        }
        NAllocation place = spare.copy();
        place.id = NaiveCluster.id(state.index, state.nextOrdinal++);
        place.index = task.index;
        place.attempt = task.attempt;
        place.state = AllocationState.ALLOCATION_STATE_BOUND;
        place.epoch = state.index;
        state.allocations.put(place.id, place);
        task.state = TaskState.TASK_STATE_ALLOCATED;
        task.allocation = place.id;
    }

    private static void left(NJob job, NTask task) {
        job.generation++;
        job.attempt++;
        task.state = TaskState.TASK_STATE_PENDING;
        task.allocation = "";
        task.attempt = job.attempt;
        task.leaving = false;
    }

    void withdraw(NJob job) {
        dropNominations(job.uid);
        if (job.phase == JobPhase.JOB_PHASE_NOMINATED) {
            dropSpares(job.uid);
            job.phase = JobPhase.JOB_PHASE_PENDING;
        }
    }

    private void dropSpares(String uid) {
        state.spares(uid).forEach(spare -> state.allocations.remove(spare.id));
    }

    private void dropNominations(String uid) {
        state.allocations
                .values()
                .removeIf(allocation ->
                        allocation.job.equals(uid) && allocation.state == AllocationState.ALLOCATION_STATE_NOMINATED);
    }

    void bind(NJob job, List<NAllocation> places) {
        for (NAllocation place : places) {
            if (place.index >= job.tasks.size()) {
                place.state = AllocationState.ALLOCATION_STATE_HELD;
                place.hold = "";
                continue;
            }
            place.state = AllocationState.ALLOCATION_STATE_BOUND;
            NTask task = task(job, place.group, place.index).orElseThrow();
            task.state = TaskState.TASK_STATE_ALLOCATED;
            task.allocation = place.id;
        }
        if (job.phase == JobPhase.JOB_PHASE_RUNNING) {
            job.generation++;
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
                report(job.get(), place, report.getState(), report.getExitCode());
            } else if (FINAL.contains(report.getState())) {
                state.allocations.remove(place.id);
            }
        }
        touched.forEach(uid -> settle(state.jobs.get(uid)));
        return stale;
    }

    private void report(NJob job, NAllocation place, TaskState to, int exitCode) {
        NTask task = task(job, place.group, place.index).orElseThrow();
        boolean told = to != TaskState.TASK_STATE_PENDING
                && to != TaskState.TASK_STATE_ALLOCATED
                && to != TaskState.TASK_STATE_PREEMPTED;
        boolean later = FINAL.contains(to) || ORDER.indexOf(to) > ORDER.indexOf(task.state);
        if (!told || !later || FINAL.contains(task.state)) {
            return;
        }
        task.state = to;
        task.exitCode = exitCode;
        if (FINAL.contains(to)) {
            state.allocations.remove(place.id);
            ended(job, task, place.node);
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
                NTask task = task(job, place.group, place.index).orElseThrow();
                task.state = TaskState.TASK_STATE_LOST;
                ended(job, task, place.node);
            });
        }
        touched.forEach(uid -> settle(state.jobs.get(uid)));
    }

    private void ended(NJob job, NTask task, String node) {
        TaskState how = task.state;
        if (job.phase == JobPhase.JOB_PHASE_RESTARTING && how == TaskState.TASK_STATE_LOST) {
            alsoLost(job, task, node);
        }
        if (job.phase != JobPhase.JOB_PHASE_RUNNING) {
            return;
        }
        if (task.leaving) {
            left(job, task);
            return;
        }
        if (how == TaskState.TASK_STATE_SUCCEEDED) {
            return;
        }
        if (how != TaskState.TASK_STATE_FAILED && dispensable(job, task)) {
            left(job, task);
            rejoin(job, task);
            return;
        }
        job.phase = JobPhase.JOB_PHASE_RESTARTING;
        job.notBefore = 0;
        if (how == TaskState.TASK_STATE_FAILED) {
            boolean ignored = job.spec.getRetry().getExitCodes().getIgnoreList().contains(task.exitCode);
            boolean hopeless =
                    job.spec.getRetry().getExitCodes().getFailJobList().contains(task.exitCode);
            job.ignored += ignored ? 1 : 0;
            job.failures += ignored ? 0 : 1;
            if (hopeless
                    || (!ignored
                            && job.failures >= Math.max(1, job.spec.getRetry().getMaxAttempts()))) {
                job.phase = JobPhase.JOB_PHASE_FAILING;
            } else {
                job.notBefore = state.timeMillis + backoff(job);
            }
        }
        stop(job);
        if (how != TaskState.TASK_STATE_FAILED) {
            var unused = promise(job, List.of());
        }
    }

    /** Every place of the next attempt, or none; those that go do not keep theirs. */
    private boolean promise(NJob job, List<NTask> going) {
        List<NTask> placed = job.tasks.stream()
                .filter(task -> task.state != TaskState.TASK_STATE_PENDING && !task.leaving)
                .toList();
        boolean whole = placed.stream()
                .allMatch(
                        task -> task.state == TaskState.TASK_STATE_LOST || task.state == TaskState.TASK_STATE_STOPPING);
        NaiveState before = state.copy();
        for (NTask task : placed) {
            boolean goes = going.contains(task);
            boolean swaps = task.state == TaskState.TASK_STATE_LOST || goes;
            Optional<NAllocation> like = swaps
                    ? usableSpares(job).stream()
                            .filter(spare ->
                                    !goes || !spare.node.equals(place(task).orElseThrow().node))
                            .findFirst()
                    : place(task);
            whole = whole && like.isPresent() && promise(job, task, like.get(), swaps);
        }
        if (!whole) {
            allocationsAsIn(before);
        }
        return whole;
    }

    private void allocationsAsIn(NaiveState before) {
        state.allocations.clear();
        state.allocations.putAll(before.allocations);
        state.nextOrdinal = before.nextOrdinal;
    }

    private void alsoLost(NJob job, NTask task, String node) {
        Optional<NAllocation> promised = state.allocations.values().stream()
                .filter(place -> place.state == AllocationState.ALLOCATION_STATE_NOMINATED
                        && place.job.equals(job.uid)
                        && place.index == task.index
                        && place.node.equals(node))
                .findFirst();
        if (promised.isPresent()) {
            NaiveState before = state.copy();
            state.allocations.remove(promised.get().id);
            boolean moved = !usableSpares(job).isEmpty()
                    && promise(job, task, usableSpares(job).get(0), true);
            if (!moved) {
                allocationsAsIn(before);
                withdraw(job);
            }
        }
    }

    private List<NAllocation> usableSpares(NJob job) {
        return state.spares(job.uid).stream()
                .filter(spare -> state.nodes.get(spare.node).takesWork())
                .filter(spare -> spare.claim.keySet().stream()
                        .noneMatch(thing -> state.nodes.get(spare.node).quarantined(thing)))
                .toList();
    }

    private boolean promise(NJob job, NTask task, NAllocation like, boolean instead) {
        if (instead) {
            state.allocations.remove(like.id);
        }
        boolean room = like.claim.entrySet().stream()
                .allMatch(want -> state.nominable(like.node, want.getKey()) >= want.getValue());
        if (!room || state.nodes.get(like.node).cordoned) {
            return false;
        }
        NAllocation place = like.copy();
        place.id = NaiveCluster.id(state.index, state.nextOrdinal++);
        place.index = task.index;
        place.attempt = job.attempt + 1;
        place.state = AllocationState.ALLOCATION_STATE_NOMINATED;
        place.epoch = state.index;
        place.hold = "";
        state.allocations.put(place.id, place);
        return true;
    }

    /** Doubled once for each failure but the first, then shortened by what revision and uid say. */
    private long backoff(NJob job) {
        RetryPolicy retry = job.spec.getRetry();
        long longest = retry.getBackoffMaxMillis() == 0 ? 600_000 : retry.getBackoffMaxMillis();
        long wait = retry.getBackoffMillis() == 0 ? 1_000 : retry.getBackoffMillis();
        for (int i = 1; i < job.failures + job.ignored; i++) {
            wait = Math.min(longest, wait * 2);
        }
        BigInteger mixed = BigInteger.valueOf(state.index)
                .multiply(new BigInteger("9e3779b97f4a7c15", 16))
                .add(BigInteger.valueOf(job.uid.hashCode()))
                .mod(TWO_TO_64);
        mixed = mixed.xor(mixed.shiftRight(30))
                .multiply(new BigInteger("bf58476d1ce4e5b9", 16))
                .mod(TWO_TO_64);
        mixed = mixed.xor(mixed.shiftRight(27))
                .multiply(new BigInteger("94d049bb133111eb", 16))
                .mod(TWO_TO_64);
        mixed = mixed.xor(mixed.shiftRight(31));
        return wait - mixed.mod(BigInteger.valueOf(wait / 4 + 1)).longValue();
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
        boolean over = job.tasks.stream().anyMatch(task -> FINAL.contains(task.state))
                && job.tasks.stream()
                        .allMatch(task -> task.state == TaskState.TASK_STATE_PENDING || FINAL.contains(task.state));
        if (!over) {
            return;
        }
        boolean promised = state.allocations.values().stream()
                .anyMatch(place ->
                        place.job.equals(job.uid) && place.state == AllocationState.ALLOCATION_STATE_NOMINATED);
        if (!promised || job.phase != JobPhase.JOB_PHASE_RESTARTING) {
            dropSpares(job.uid);
        }
        if (job.phase == JobPhase.JOB_PHASE_RESTARTING) {
            job.attempt++;
            job.phase = promised ? JobPhase.JOB_PHASE_NOMINATED : JobPhase.JOB_PHASE_PENDING;
            job.notBefore = job.notBefore == 0 ? 0 : state.timeMillis + backoff(job);
            for (NTask task : job.tasks) {
                task.state = TaskState.TASK_STATE_PENDING;
                task.allocation = "";
                task.attempt = job.attempt;
                task.leaving = false;
            }
        } else {
            dropNominations(job.uid);
            state.jobs.remove(job.uid);
            state.finished++;
        }
    }

    private Optional<NJob> owner(NAllocation place) {
        return Optional.ofNullable(state.jobs.get(place.job))
                .filter(job -> task(job, place.group, place.index)
                        .filter(task -> task.attempt == place.attempt)
                        .isPresent());
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
