package io.surestate.statemachine.model;

import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.Eviction;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.model.NaiveState.NAllocation;
import io.surestate.statemachine.model.NaiveState.NJob;
import io.surestate.statemachine.model.NaiveState.NNode;
import io.surestate.statemachine.model.NaiveState.NTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Plans: each gang tried on a copy of everything. */
final class NaivePlans {
    private final NaiveState state;
    private final long index;

    NaivePlans(NaiveState state, long index) {
        this.state = state;
        this.index = index;
    }

    /** What a plan came to, in words that can be compared. */
    record Result(List<String> committed, List<String> conflicts) {
        @Override
        public String toString() {
            return "plan " + committed + " " + conflicts;
        }
    }

    Result commit(Plan plan, boolean perGroup, String tenant, String hold) {
        NaiveState before = state.copy();
        Result result = new Result(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < plan.getGangsCount(); i++) {
            GangPlacement gang = plan.getGangs(i);
            AllocationState wanted =
                    hold.isEmpty() ? AllocationState.ALLOCATION_STATE_BOUND : AllocationState.ALLOCATION_STATE_HELD;
            if (!gang.getMove().isEmpty()) {
                wanted = AllocationState.ALLOCATION_STATE_NOMINATED;
            }
            NaiveState beforeGang = state.copy();
            List<String> conflicts = new Attempt(i, gang, plan.getScheduler(), tenant, hold, wanted).run(result);
            boolean runs = Optional.ofNullable(state.jobs.get(gang.getJobUid()))
                    .filter(job -> job.phase == JobPhase.JOB_PHASE_RUNNING)
                    .isPresent();
            boolean onlyTaken = conflicts.stream().allMatch(conflict -> conflict.endsWith("TAKEN"));
            if (!conflicts.isEmpty() && onlyTaken && gang.getNominate() && !runs) {
                state.become(beforeGang);
                conflicts = new Attempt(
                                i, gang, plan.getScheduler(), tenant, hold, AllocationState.ALLOCATION_STATE_NOMINATED)
                        .run(result);
            }
            if (!conflicts.isEmpty()) {
                state.become(beforeGang);
                result.conflicts.addAll(conflicts);
            }
        }
        if (!perGroup && !result.conflicts.isEmpty()) {
            state.become(before);
            result.committed.clear();
        }
        return result;
    }

    private final class Attempt {
        private final int position;
        private final GangPlacement gang;
        private final String scheduler;
        private final String tenant;
        private final String hold;
        private final AllocationState wanted;
        private final List<String> conflicts = new ArrayList<>();
        private final List<NAllocation> places = new ArrayList<>();

        Attempt(
                int position,
                GangPlacement gang,
                String scheduler,
                String tenant,
                String hold,
                AllocationState wanted) {
            this.position = position;
            this.gang = gang;
            this.scheduler = scheduler;
            this.tenant = tenant;
            this.hold = hold;
            this.wanted = wanted;
        }

        private void conflict(int placement, ConflictKind kind) {
            conflicts.add(position + "/" + placement + " " + kind.name().replace("CONFLICT_KIND_", ""));
        }

        List<String> run(Result result) {
            boolean moves = !gang.getMove().isEmpty();
            if (!moves) {
                gang.getEvictionsList().forEach(this::evict);
            }
            int first = state.nextOrdinal;
            if (moves) {
                move();
            } else if (gang.getPlacementsCount() > 0 && gang.getJobUid().isEmpty()) {
                named();
            } else if (gang.getPlacementsCount() > 0) {
                tasks();
            } else if (gang.getEvictionsCount() == 0) {
                conflict(-1, ConflictKind.CONFLICT_KIND_CLAIM);
            }
            if (conflicts.isEmpty()) {
                String as = gang.getPlacementsCount() == 0 ? "nothing" : wanted.name();
                result.committed.add(position + " " + as + " " + first + "+" + gang.getPlacementsCount());
            }
            return conflicts;
        }

        private void move() {
            NJob job = state.jobs.get(gang.getJobUid());
            if (job == null) {
                conflict(-1, ConflictKind.CONFLICT_KIND_NOT_FOUND);
                return;
            }
            Optional<ConflictKind> problem = moveProblem(job);
            if (problem.isPresent()) {
                conflict(-1, problem.get());
                return;
            }
            List<NAllocation> leaves = new ArrayList<>();
            for (Eviction eviction : gang.getEvictionsList()) {
                NAllocation place =
                        state.allocations.get(eviction.getAllocation().getId());
                boolean meant = place != null
                        && place.node.equals(eviction.getAllocation().getNode())
                        && place.epoch == eviction.getAllocation().getEpoch()
                        && place.state == AllocationState.ALLOCATION_STATE_BOUND
                        && place.job.equals(job.uid);
                if (meant) {
                    leaves.add(place);
                } else {
                    conflict(-1, ConflictKind.CONFLICT_KIND_NOT_FOUND);
                }
            }
            if (gang.getEvictionsCount() == 0) {
                conflict(-1, ConflictKind.CONFLICT_KIND_CLAIM);
            }
            if (!conflicts.isEmpty()) {
                return;
            }
            if (gang.getPlacementsCount() > 0) {
                new NaiveJobs(state).stopToMove(job);
                place(job, 0, job.attempt + 1);
            } else if (!new NaiveJobs(state).leaveOrSwap(job.uid, leaves)) {
                conflict(-1, ConflictKind.CONFLICT_KIND_JOB);
            }
        }

        private Optional<ConflictKind> moveProblem(NJob job) {
            if (!tenant.isEmpty() && !job.tenant.equals(tenant)) {
                return Optional.of(ConflictKind.CONFLICT_KIND_TENANT);
            }
            boolean now = job.phase == JobPhase.JOB_PHASE_RUNNING
                    && job.generation == gang.getGeneration()
                    && job.attempt == gang.getAttempt();
            if (!now) {
                return Optional.of(ConflictKind.CONFLICT_KIND_JOB);
            }
            return job.spec.getScheduler().equals(scheduler)
                    ? Optional.empty()
                    : Optional.of(ConflictKind.CONFLICT_KIND_SCHEDULER);
        }

        private void evict(Eviction eviction) {
            NAllocation victim = state.allocations.get(eviction.getAllocation().getId());
            if (victim == null || !victim.node.equals(eviction.getAllocation().getNode())) {
                conflict(-1, ConflictKind.CONFLICT_KIND_NOT_FOUND);
            } else if (victim.epoch != eviction.getAllocation().getEpoch()) {
                conflict(-1, ConflictKind.CONFLICT_KIND_EPOCH);
            } else if (!tenant.isEmpty() && !victim.tenant.equals(tenant)) {
                conflict(-1, ConflictKind.CONFLICT_KIND_TENANT);
            } else if (victim.state == AllocationState.ALLOCATION_STATE_HELD && victim.hold.isEmpty()) {
                state.allocations.remove(victim.id);
            } else if (victim.state == AllocationState.ALLOCATION_STATE_HELD) {
                conflict(-1, ConflictKind.CONFLICT_KIND_TAKEN);
            } else if (victim.state == AllocationState.ALLOCATION_STATE_NOMINATED) {
                withdraw(victim);
            } else if (victim.state == AllocationState.ALLOCATION_STATE_BOUND && victim.job.isEmpty()) {
                victim.state = AllocationState.ALLOCATION_STATE_RELEASING;
            } else if (victim.state == AllocationState.ALLOCATION_STATE_BOUND) {
                new NaiveJobs(state).preempt(victim);
            }
        }

        private void named() {
            boolean taken = state.allocations.values().stream()
                    .anyMatch(other ->
                            other.job.isEmpty() && other.tenant.equals(tenant) && other.name.equals(gang.getName()));
            if (taken || gang.getName().isEmpty()) {
                conflict(-1, ConflictKind.CONFLICT_KIND_NAME);
                return;
            }
            for (int i = 0; i < gang.getPlacementsCount(); i++) {
                Placement placement = gang.getPlacements(i);
                Optional<ConflictKind> problem = node(placement)
                        .or(() -> form(placement))
                        .or(() -> things(placement.getClaim()).isEmpty()
                                ? Optional.of(ConflictKind.CONFLICT_KIND_CLAIM)
                                : fit(placement));
                if (problem.isPresent()) {
                    conflict(i, problem.get());
                } else {
                    NAllocation place = put(placement);
                    place.tenant = tenant;
                    place.name = gang.getName();
                }
            }
        }

        private void tasks() {
            NJob job = state.jobs.get(gang.getJobUid());
            if (job == null) {
                conflict(-1, ConflictKind.CONFLICT_KIND_NOT_FOUND);
                return;
            }
            jobProblem(state, job, gang, scheduler, tenant).ifPresent(kind -> conflict(-1, kind));
            if (!conflicts.isEmpty()) {
                return;
            }
            boolean starts = job.phase == JobPhase.JOB_PHASE_PENDING;
            int tasks = starts
                    ? 0
                    : (int) job.tasks.stream()
                            .filter(task -> task.state != TaskState.TASK_STATE_PENDING && !task.leaving)
                            .count();
            place(job, tasks, 0);
        }

        /**
         * @param have tasks that have places and keep them
         * @param anew attempt of which all places are open, while the one before is being stopped; 0 = the present one's
         */
        private void place(NJob job, int have, int anew) {
            boolean starts = anew > 0 || job.phase == JobPhase.JOB_PHASE_PENDING;
            int tasks = have;
            int count = job.tasks.size();
            Set<Integer> seen = new HashSet<>();
            for (int i = 0; i < gang.getPlacementsCount(); i++) {
                Placement placement = gang.getPlacements(i);
                int index = placement.getIndex();
                Optional<NTask> task = NaiveJobs.task(job, placement.getGroup(), index);
                boolean spare =
                        placement.getGroup().equals(job.spec.getGroups(0).getName())
                                && index >= count
                                && index < count + job.spec.getGroups(0).getSpares();
                if (task.isEmpty() && !spare) {
                    conflict(i, ConflictKind.CONFLICT_KIND_NOT_FOUND);
                    continue;
                }
                if (!seen.add(index)) {
                    conflict(i, ConflictKind.CONFLICT_KIND_CLAIM);
                    continue;
                }
                tasks += spare ? 0 : 1;
                boolean taken = task.map(one -> one.state != TaskState.TASK_STATE_PENDING)
                        .orElseGet(() -> state.spares(job.uid).stream().anyMatch(kept -> kept.index == index));
                if ((taken && anew == 0) || tasks > job.target) {
                    conflict(i, taken && anew == 0 ? ConflictKind.CONFLICT_KIND_JOB : ConflictKind.CONFLICT_KIND_CLAIM);
                    continue;
                }
                Optional<ConflictKind> problem = node(placement)
                        .or(() -> form(placement))
                        .or(() -> asked(job, placement))
                        .or(() -> fit(placement));
                if (problem.isPresent()) {
                    conflict(i, problem.get());
                } else {
                    NAllocation place = put(placement);
                    place.tenant = job.tenant;
                    place.job = job.uid;
                    place.group = placement.getGroup();
                    place.index = placement.getIndex();
                    place.attempt =
                            anew > 0 ? anew : task.map(one -> one.attempt).orElse(job.attempt);
                    if (spare && wanted == AllocationState.ALLOCATION_STATE_BOUND) {
                        place.state = AllocationState.ALLOCATION_STATE_HELD;
                    }
                    place.stops = NaiveJobs.stops(job.spec);
                    places.add(place);
                }
            }
            int needed = Math.max(tasks, fewest(job));
            if (starts && !java.util.stream.IntStream.range(0, needed).allMatch(seen::contains)) {
                conflict(-1, ConflictKind.CONFLICT_KIND_CLAIM);
            }
            if (conflicts.isEmpty() && wanted == AllocationState.ALLOCATION_STATE_BOUND) {
                new NaiveJobs(state).bind(job, places);
            } else if (conflicts.isEmpty() && anew == 0 && wanted == AllocationState.ALLOCATION_STATE_NOMINATED) {
                job.phase = JobPhase.JOB_PHASE_NOMINATED;
            }
        }

        private int fewest(NJob job) {
            int min = job.spec.getGroups(0).getMinCount();
            return min == 0 ? job.tasks.size() : min;
        }

        private NAllocation put(Placement placement) {
            NAllocation place = new NAllocation();
            place.id = NaiveCluster.id(index, state.nextOrdinal++);
            place.node = placement.getNode();
            place.state = wanted;
            place.epoch = index;
            place.hold = hold;
            place.claim = things(placement.getClaim());
            state.allocations.put(place.id, place);
            return place;
        }

        private Optional<ConflictKind> node(Placement placement) {
            NNode node = state.nodes.get(placement.getNode());
            if (node == null) {
                return Optional.of(ConflictKind.CONFLICT_KIND_NOT_FOUND);
            }
            if (node.epoch != placement.getNodeEpoch() || node.state != NodeState.NODE_STATE_READY) {
                return Optional.of(ConflictKind.CONFLICT_KIND_NODE);
            }
            return node.cordoned ? Optional.of(ConflictKind.CONFLICT_KIND_CORDONED) : Optional.empty();
        }

        /** Sorted, once, in bounds, there. */
        private Optional<ConflictKind> form(Placement placement) {
            Claim claim = placement.getClaim();
            List<Integer> cores = new ArrayList<>();
            claim.getCoresList().forEach(core -> cores.add(core.getCoreId()));
            List<Integer> devices = new ArrayList<>();
            claim.getDevicesList().forEach(device -> devices.add(device.getOrdinal()));
            boolean good = cores.equals(List.copyOf(new TreeSet<>(cores)))
                    && devices.equals(List.copyOf(new TreeSet<>(devices)))
                    && claim.getCoresList().stream().allMatch(core -> share(core.getMilli()))
                    && claim.getDevicesList().stream().allMatch(device -> share(device.getMilli()))
                    && claim.getMemoryBytes() >= 0
                    && things(claim).keySet().stream()
                            .allMatch(thing -> thing.equals("memory")
                                    || state.nodes
                                            .get(placement.getNode())
                                            .capacity
                                            .containsKey(thing));
            return good ? Optional.empty() : Optional.of(ConflictKind.CONFLICT_KIND_CLAIM);
        }

        private static boolean share(int milli) {
            return milli >= 1 && milli <= 1_000;
        }

        /** The groups of these tests ask for cores and memory only. */
        private Optional<ConflictKind> asked(NJob job, Placement placement) {
            Resources asked = job.spec.getGroupsList().stream()
                    .filter(group -> group.getName().equals(placement.getGroup()))
                    .map(TaskGroup::getResources)
                    .findFirst()
                    .orElseThrow();
            List<Integer> milli = new ArrayList<>();
            placement.getClaim().getCoresList().forEach(core -> milli.add(core.getMilli()));
            milli.sort(null);
            List<Integer> wantedMilli = new ArrayList<>();
            for (long left = asked.getCpuMillicores(); left > 0; left -= 1_000) {
                wantedMilli.add((int) Math.min(1_000, left));
            }
            wantedMilli.sort(null);
            boolean good = milli.equals(wantedMilli)
                    && placement.getClaim().getDevicesCount() == 0
                    && placement.getClaim().getMemoryBytes() == asked.getMemoryBytes();
            return good ? Optional.empty() : Optional.of(ConflictKind.CONFLICT_KIND_CLAIM);
        }

        private Optional<ConflictKind> fit(Placement placement) {
            boolean nominated = wanted == AllocationState.ALLOCATION_STATE_NOMINATED;
            String node = placement.getNode();
            for (Map.Entry<String, Long> want : things(placement.getClaim()).entrySet()) {
                long there = nominated ? state.nominable(node, want.getKey()) : state.free(node, want.getKey());
                if (there < want.getValue()) {
                    return Optional.of(
                            state.nodes.get(node).quarantined(want.getKey())
                                    ? ConflictKind.CONFLICT_KIND_QUARANTINED
                                    : ConflictKind.CONFLICT_KIND_TAKEN);
                }
            }
            return Optional.empty();
        }
    }

    void withdraw(NAllocation member) {
        if (member.job.isEmpty()) {
            state.allocations
                    .values()
                    .removeIf(other -> other.job.isEmpty()
                            && other.tenant.equals(member.tenant)
                            && other.name.equals(member.name)
                            && other.state == AllocationState.ALLOCATION_STATE_NOMINATED);
        } else {
            new NaiveJobs(state).withdraw(state.jobs.get(member.job));
        }
    }

    static Optional<ConflictKind> jobProblem(
            NaiveState state, NJob job, GangPlacement gang, String scheduler, String tenant) {
        if (!tenant.isEmpty() && !job.tenant.equals(tenant)) {
            return Optional.of(ConflictKind.CONFLICT_KIND_TENANT);
        }
        TaskGroup group = job.spec.getGroups(0);
        boolean takesMore =
                (group.getMinCount() != 0 && group.getMinCount() < group.getCount()) || group.getSpares() > 0;
        boolean asSeen =
                (job.phase == JobPhase.JOB_PHASE_PENDING || (takesMore && job.phase == JobPhase.JOB_PHASE_RUNNING))
                        && gang.getGeneration() == job.generation
                        && gang.getAttempt() == job.attempt;
        if (!asSeen) {
            return Optional.of(ConflictKind.CONFLICT_KIND_JOB);
        }
        if (!scheduler(scheduler).equals(scheduler(job.spec.getScheduler()))) {
            return Optional.of(ConflictKind.CONFLICT_KIND_SCHEDULER);
        }
        return job.notBefore > state.timeMillis ? Optional.of(ConflictKind.CONFLICT_KIND_JOB) : Optional.empty();
    }

    /** Whether what was held for a task or as a spare is still missing. */
    static boolean open(NaiveState state, NAllocation place) {
        NJob job = state.jobs.get(place.job);
        return NaiveJobs.task(job, place.group, place.index)
                .map(task -> task.state == TaskState.TASK_STATE_PENDING && task.attempt == place.attempt)
                .orElseGet(() -> state.spares(job.uid).stream().noneMatch(kept -> kept.index == place.index));
    }

    private static String scheduler(String name) {
        return name.isEmpty() ? "default" : name;
    }

    /** Cores, then devices, then memory: the order in which a conflict is looked for. Nothing of a thing is not in it. */
    static Map<String, Long> things(Claim claim) {
        Map<String, Long> things = new LinkedHashMap<>();
        claim.getCoresList()
                .forEach(core -> things.merge("core " + core.getCoreId(), (long) core.getMilli(), Long::sum));
        claim.getDevicesList()
                .forEach(device -> things.merge("device " + device.getOrdinal(), (long) device.getMilli(), Long::sum));
        if (claim.getMemoryBytes() != 0) {
            things.put("memory", claim.getMemoryBytes());
        }
        return things;
    }

    /** Nominated gangs whose time has come, or is over; the older first. */
    void settleNominations() {
        for (String node : state.nodes.keySet()) {
            while (!promisesFit(node)) {
                withdraw(gangs(node).lastEntry().getValue());
            }
        }
        List.copyOf(gangs("").values()).forEach(this::settle);
    }

    private boolean promisesFit(String node) {
        TreeSet<String> promised = new TreeSet<>();
        state.allocations.values().stream()
                .filter(place -> place.node.equals(node) && place.state == AllocationState.ALLOCATION_STATE_NOMINATED)
                .forEach(place -> promised.addAll(place.claim.keySet()));
        return promised.stream().allMatch(thing -> {
            long stays =
                    state.occupied(node, thing) - state.sum(node, thing, AllocationState.ALLOCATION_STATE_RELEASING);
            long room = Math.max(0, state.nodes.get(node).has(thing) - stays);
            return state.sum(node, thing, AllocationState.ALLOCATION_STATE_NOMINATED) <= room;
        });
    }

    /** A member of each nominated gang, the older gang first; of all nodes where none is named. */
    private NavigableMap<String, NAllocation> gangs(String node) {
        TreeMap<String, NAllocation> gangs = new TreeMap<>();
        for (NAllocation allocation : state.allocations.values()) {
            boolean meant = node.isEmpty() || allocation.node.equals(node);
            if (meant && allocation.state == AllocationState.ALLOCATION_STATE_NOMINATED) {
                String owner = allocation.job.isEmpty() ? allocation.tenant + "/" + allocation.name : allocation.job;
                gangs.putIfAbsent(NaiveCluster.id(allocation.epoch, 0) + owner, allocation);
            }
        }
        return gangs;
    }

    private void settle(NAllocation member) {
        boolean stopping = !member.job.isEmpty() && state.jobs.get(member.job).phase != JobPhase.JOB_PHASE_NOMINATED;
        if (stopping) {
            return;
        }
        List<NAllocation> gang = state.allocations.values().stream()
                .filter(other -> other.state == AllocationState.ALLOCATION_STATE_NOMINATED
                        && other.job.equals(member.job)
                        && (!member.job.isEmpty()
                                || (other.tenant.equals(member.tenant) && other.name.equals(member.name))))
                .toList();
        boolean hopeless = gang.stream().anyMatch(place -> {
            NNode node = state.nodes.get(place.node);
            return !node.takesWork() || place.claim.keySet().stream().anyMatch(node::quarantined);
        });
        if (hopeless) {
            withdraw(member);
            return;
        }
        TreeMap<String, Long> wanted = new TreeMap<>();
        gang.forEach(place ->
                place.claim.forEach((thing, amount) -> wanted.merge(place.node + "|" + thing, amount, Long::sum)));
        boolean backed = wanted.entrySet().stream().allMatch(want -> {
            String[] where = want.getKey().split("\\|", 2);
            return state.nodes.get(where[0]).has(where[1]) - state.occupied(where[0], where[1]) >= want.getValue();
        });
        if (backed && member.job.isEmpty()) {
            gang.forEach(place -> place.state = AllocationState.ALLOCATION_STATE_BOUND);
        } else if (backed) {
            new NaiveJobs(state).bind(state.jobs.get(member.job), gang);
        }
    }
}
