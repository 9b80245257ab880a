package io.surestate.testkit.sim;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationRef;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Eviction;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Gangs that an outside scheduler may think of: those of waiting jobs, gangs without a job, evictions with who comes instead. One thread. */
final class SimPlans {
    private static final int GANGS_MAX = 3;
    private static final int NAMES = 8;
    private static final int NAMED_ONE_IN = 5;
    private static final int EVICTS_ONE_IN = 5;
    /** Cluster time may be ahead of what the log says of it by this much; after the last deadline nobody writes it down. */
    private static final long MARK_MILLIS = 1_500;

    private final Random random;

    SimPlans(Random random) {
        this.random = random;
    }

    /**
     * Some gangs, maybe none.
     *
     * @param avoided nodes on which something conflicted
     * @param freely whether more than the waiting jobs may be thought of
     */
    List<GangPlacement> gangs(ClusterState state, Set<String> avoided, boolean freely) {
        List<GangPlacement> gangs = new ArrayList<>();
        SimRoom free = new SimRoom(state, NodeEntry::free, avoided, random);
        List<JobEntry> waiting = waiting(state);
        for (JobEntry entry : waiting.subList(0, Math.min(GANGS_MAX, waiting.size()))) {
            tasks(entry, free).map(GangPlacement.Builder::build).ifPresent(gangs::add);
        }
        if (freely && random.nextInt(NAMED_ONE_IN) == 0) {
            named(free).map(GangPlacement.Builder::build).ifPresent(gangs::add);
        }
        if (freely && random.nextInt(EVICTS_ONE_IN) == 0) {
            victim(state)
                    .flatMap(victim -> instead(state, victim, avoided, waiting))
                    .ifPresent(gangs::add);
        }
        return gangs;
    }

    private List<JobEntry> waiting(ClusterState state) {
        List<JobEntry> waiting = new ArrayList<>(state.pending().stream()
                .flatMap(pending -> state.job(pending.uid()).stream())
                .filter(entry -> entry.job().getSpec().getScheduler().equals(SimScheduler.NAME))
                .filter(entry -> entry.job().getStatus().getNotBeforeMillis()
                        <= state.meta().getTimeMillis() + MARK_MILLIS)
                .toList());
        Collections.shuffle(waiting, random);
        return waiting;
    }

    private static Optional<GangPlacement.Builder> tasks(JobEntry entry, SimRoom room) {
        GangPlacement.Builder gang = GangPlacement.newBuilder()
                .setJobUid(entry.job().getUid())
                .setGeneration(entry.job().getGeneration())
                .setAttempt(entry.job().getStatus().getAttempt());
        for (TaskGroup group : entry.job().getSpec().getGroupsList()) {
            for (int index = 0; index < GroupSize.target(group); index++) {
                Optional<Placement.Builder> place = room.take(group.getResources());
                if (place.isEmpty() && index < GroupSize.min(group)) {
                    return Optional.empty();
                }
                if (place.isEmpty()) {
                    break;
                }
                gang.addPlacements(place.get().setGroup(group.getName()).setIndex(index));
            }
        }
        return Optional.of(gang);
    }

    private Optional<GangPlacement.Builder> named(SimRoom room) {
        GangPlacement.Builder gang = GangPlacement.newBuilder().setName("gang-" + random.nextInt(NAMES));
        int places = 1 + random.nextInt(3);
        for (int i = 0; i < places; i++) {
            room.take(something()).ifPresent(gang::addPlacements);
        }
        return gang.getPlacementsCount() == 0 ? Optional.empty() : Optional.of(gang);
    }

    private Resources something() {
        Resources.Builder some = Resources.newBuilder();
        if (random.nextBoolean()) {
            some.addDevices(DeviceRequest.newBuilder()
                    .setKind(DeviceKind.DEVICE_KIND_GPU)
                    .setCount(1)
                    .setShareMilli(random.nextBoolean() ? 1_000 : 250 * (1 + random.nextInt(3))));
        }
        if (random.nextBoolean()) {
            some.setMemoryBytes(1L << 30);
        }
        return some.setCpuMillicores(some.getDevicesCount() == 0 ? 250L * (1 + random.nextInt(8)) : 0)
                .build();
    }

    private Optional<Allocation> victim(ClusterState state) {
        List<Allocation> all = state.nodes().stream()
                .flatMap(node -> node.allocations().stream())
                .filter(allocation ->
                        allocation.getState() != AllocationState.ALLOCATION_STATE_RELEASING || random.nextInt(3) == 0)
                .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    /** Somebody in place of a victim, whose whole gang goes with it if it has a job. */
    private Optional<GangPlacement> instead(
            ClusterState state, Allocation victim, Set<String> avoided, List<JobEntry> waiting) {
        SimRoom room = new SimRoom(state, NodeEntry::nominable, avoided, random);
        if (victim.getState() == AllocationState.ALLOCATION_STATE_BOUND) {
            state.nodes().stream()
                    .flatMap(node -> node.allocations().stream())
                    .filter(other -> other.getState() == AllocationState.ALLOCATION_STATE_BOUND)
                    .filter(other -> victim.hasTask()
                            ? other.getTask()
                                    .getJobUid()
                                    .equals(victim.getTask().getJobUid())
                            : other.getId().equals(victim.getId()))
                    .forEach(other -> room.add(other.getNode(), other.getClaim()));
        }
        Optional<GangPlacement.Builder> gang = waiting.isEmpty() ? Optional.empty() : tasks(waiting.get(0), room);
        GangPlacement.Builder some = gang.or(() -> random.nextInt(3) == 0 ? Optional.empty() : exactly(state, victim))
                .orElseGet(GangPlacement::newBuilder);
        return Optional.of(some.setNominate(random.nextInt(5) > 0)
                .addEvictions(Eviction.newBuilder()
                        .setReason("simulated")
                        .setAllocation(AllocationRef.newBuilder()
                                .setNode(victim.getNode())
                                .setId(victim.getId())
                                .setEpoch(victim.getEpoch())))
                .build());
    }

    /** A gang without a job on just the place of the victim. */
    private Optional<GangPlacement.Builder> exactly(ClusterState state, Allocation victim) {
        return state.node(victim.getNode())
                .map(node -> GangPlacement.newBuilder()
                        .setName("gang-" + random.nextInt(NAMES))
                        .addPlacements(Placement.newBuilder()
                                .setNode(victim.getNode())
                                .setNodeEpoch(node.node().getStatus().getEpoch())
                                .setClaim(victim.getClaim())));
    }
}
