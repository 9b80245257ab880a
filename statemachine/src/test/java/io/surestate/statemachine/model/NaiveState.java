package io.surestate.statemachine.model;

import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything there is, as plain data that can be copied whole. */
final class NaiveState {
    final TreeMap<String, NNode> nodes = new TreeMap<>();
    final TreeSet<String> planned = new TreeSet<>();
    final TreeMap<String, NAllocation> allocations = new TreeMap<>();
    final TreeMap<String, NJob> jobs = new TreeMap<>();
    final TreeMap<String, NHold> holds = new TreeMap<>();
    final TreeMap<String, NOutcome> outcomes = new TreeMap<>();
    long timeMillis;
    long frozenUntil;
    long leasesReach;
    long finished;
    int nextOrdinal;
    long index;

    NaiveState copy() {
        NaiveState copy = new NaiveState();
        copy.become(this);
        return copy;
    }

    void become(NaiveState other) {
        clearAndCopy(nodes, other.nodes, NNode::copy);
        planned.clear();
        planned.addAll(other.planned);
        clearAndCopy(allocations, other.allocations, NAllocation::copy);
        clearAndCopy(jobs, other.jobs, NJob::copy);
        clearAndCopy(holds, other.holds, NHold::copy);
        clearAndCopy(outcomes, other.outcomes, outcome -> outcome);
        timeMillis = other.timeMillis;
        frozenUntil = other.frozenUntil;
        leasesReach = other.leasesReach;
        finished = other.finished;
        nextOrdinal = other.nextOrdinal;
        index = other.index;
    }

    private static <V> void clearAndCopy(
            Map<String, V> to, Map<String, V> from, java.util.function.UnaryOperator<V> copy) {
        TreeMap<String, V> copied = new TreeMap<>();
        from.forEach((key, value) -> copied.put(key, copy.apply(value)));
        to.clear();
        to.putAll(copied);
    }

    /** What one node's allocations of these states take of one thing. */
    long sum(String node, String thing, AllocationState... states) {
        List<AllocationState> wanted = List.of(states);
        return allocations.values().stream()
                .filter(allocation -> allocation.node.equals(node) && wanted.contains(allocation.state))
                .mapToLong(allocation -> allocation.claim.getOrDefault(thing, 0L))
                .sum();
    }

    long occupied(String node, String thing) {
        return sum(
                node,
                thing,
                AllocationState.ALLOCATION_STATE_HELD,
                AllocationState.ALLOCATION_STATE_BOUND,
                AllocationState.ALLOCATION_STATE_RELEASING);
    }

    long free(String name, String thing) {
        NNode node = nodes.get(name);
        long releasing = sum(name, thing, AllocationState.ALLOCATION_STATE_RELEASING);
        long nominated = sum(name, thing, AllocationState.ALLOCATION_STATE_NOMINATED);
        long left = node.has(thing) - occupied(name, thing) - Math.max(0, nominated - releasing);
        return node.quarantined(thing) ? 0 : Math.max(0, left);
    }

    long nominable(String name, String thing) {
        NNode node = nodes.get(name);
        long stays = occupied(name, thing) - sum(name, thing, AllocationState.ALLOCATION_STATE_RELEASING);
        long nominated = sum(name, thing, AllocationState.ALLOCATION_STATE_NOMINATED);
        return node.quarantined(thing) ? 0 : Math.max(0, Math.max(0, node.has(thing) - stays) - nominated);
    }

    static final class NNode {
        String name = "";
        String boot = "";
        NodeState state = NodeState.NODE_STATE_READY;
        long epoch;
        long sequence;
        long suspectedMillis;
        long fencedMillis;
        boolean cordoned;
        boolean drains;
        /** 0 = none. */
        long drainDeadline;

        Map<String, Long> capacity = new TreeMap<>();
        TreeSet<String> unhealthy = new TreeSet<>();
        TreeSet<String> quarantine = new TreeSet<>();
        /** By name, since when. */
        TreeMap<String, Long> conditions = new TreeMap<>();
        /** Ends of probations. */
        TreeMap<String, Long> until = new TreeMap<>();

        TreeSet<String> served = new TreeSet<>();
        TreeMap<String, Integer> falls = new TreeMap<>();
        TreeMap<String, Long> usableSince = new TreeMap<>();

        NNode copy() {
            NNode copy = new NNode();
            copy.name = name;
            copy.boot = boot;
            copy.state = state;
            copy.epoch = epoch;
            copy.sequence = sequence;
            copy.suspectedMillis = suspectedMillis;
            copy.fencedMillis = fencedMillis;
            copy.cordoned = cordoned;
            copy.drains = drains;
            copy.drainDeadline = drainDeadline;
            copy.capacity = capacity;
            copy.unhealthy = new TreeSet<>(unhealthy);
            copy.quarantine = new TreeSet<>(quarantine);
            copy.conditions = new TreeMap<>(conditions);
            copy.until = new TreeMap<>(until);
            copy.served = new TreeSet<>(served);
            copy.falls = new TreeMap<>(falls);
            copy.usableSince = new TreeMap<>(usableSince);
            return copy;
        }

        boolean takesWork() {
            return state == NodeState.NODE_STATE_READY && !cordoned;
        }

        long has(String thing) {
            return capacity.getOrDefault(thing, 0L);
        }

        boolean quarantined(String thing) {
            return quarantine.contains(thing);
        }
    }

    static final class NAllocation {
        String id = "";
        String node = "";
        String tenant = "";
        /** Uid of the owning job; empty = the name owns it. */
        String job = "";

        String group = "";
        int index;
        int attempt;
        String name = "";
        String hold = "";
        AllocationState state = AllocationState.ALLOCATION_STATE_BOUND;
        long epoch;
        boolean stops;
        Map<String, Long> claim = Map.of();

        NAllocation copy() {
            NAllocation copy = new NAllocation();
            copy.id = id;
            copy.node = node;
            copy.tenant = tenant;
            copy.job = job;
            copy.group = group;
            copy.index = index;
            copy.attempt = attempt;
            copy.name = name;
            copy.hold = hold;
            copy.state = state;
            copy.epoch = epoch;
            copy.stops = stops;
            copy.claim = claim;
            return copy;
        }

        boolean mayRun() {
            return !job.isEmpty()
                    && (state == AllocationState.ALLOCATION_STATE_BOUND
                            || state == AllocationState.ALLOCATION_STATE_RELEASING);
        }
    }

    /** The spare places that a job keeps, by node, then by id. */
    List<NAllocation> spares(String job) {
        return allocations.values().stream()
                .filter(place -> place.job.equals(job)
                        && place.state == AllocationState.ALLOCATION_STATE_HELD
                        && place.hold.isEmpty())
                .sorted(java.util.Comparator.comparing((NAllocation place) -> place.node)
                        .thenComparing(place -> place.id))
                .toList();
    }

    static final class NTask {
        String group = "";
        int index;
        TaskState state = TaskState.TASK_STATE_PENDING;
        String allocation = "";
        int attempt = 1;
        int exitCode;
        boolean leaving;

        NTask copy() {
            NTask copy = new NTask();
            copy.attempt = attempt;
            copy.leaving = leaving;
            copy.exitCode = exitCode;
            copy.group = group;
            copy.index = index;
            copy.state = state;
            copy.allocation = allocation;
            return copy;
        }
    }

    static final class NJob {
        String uid = "";
        String name = "";
        String tenant = "";
        JobSpec spec = JobSpec.getDefaultInstance();
        JobPhase phase = JobPhase.JOB_PHASE_PENDING;
        long generation = 1;
        int attempt = 1;
        int target;
        int failures;
        int ignored;
        long notBefore;
        int moves;
        List<NTask> tasks = new ArrayList<>();

        NJob copy() {
            NJob copy = new NJob();
            copy.uid = uid;
            copy.name = name;
            copy.tenant = tenant;
            copy.spec = spec;
            copy.phase = phase;
            copy.generation = generation;
            copy.attempt = attempt;
            copy.target = target;
            copy.failures = failures;
            copy.ignored = ignored;
            copy.notBefore = notBefore;
            copy.moves = moves;
            tasks.forEach(task -> copy.tasks.add(task.copy()));
            return copy;
        }
    }

    static final class NHold {
        String id = "";
        String tenant = "";
        String scheduler = "";
        HoldState state = HoldState.HOLD_STATE_STANDING;
        long expires;
        long ended;
        /** Job uid and generation and attempt, or a name: as the plan said. */
        List<io.surestate.api.v1.GangPlacement> gangs = List.of();

        NHold copy() {
            NHold copy = new NHold();
            copy.id = id;
            copy.tenant = tenant;
            copy.scheduler = scheduler;
            copy.state = state;
            copy.expires = expires;
            copy.ended = ended;
            copy.gangs = gangs;
            return copy;
        }
    }

    /** @param verdict what the request came to; "SEALED" and "ACKNOWLEDGED" stand for those that have no outcome */
    record NOutcome(com.google.protobuf.ByteString fingerprint, long expires, String verdict) {}
}
