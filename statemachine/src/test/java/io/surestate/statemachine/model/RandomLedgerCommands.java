package io.surestate.statemachine.model;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.CheckpointPolicy;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.ExitCodes;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.NodeCondition;
import io.surestate.api.v1.NodeConditionList;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.log.v1.AcknowledgeRequests;
import io.surestate.log.v1.CancelJob;
import io.surestate.log.v1.CommitPlan;
import io.surestate.log.v1.CordonNode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.FenceNode;
import io.surestate.log.v1.FreezeCluster;
import io.surestate.log.v1.HoldPlan;
import io.surestate.log.v1.PlanNode;
import io.surestate.log.v1.RemoveNode;
import io.surestate.log.v1.SealRequest;
import io.surestate.log.v1.UnfreezeCluster;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Placer;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Turns numbers into commands of every kind, most of which fit the present state, some of which do not. */
final class RandomLedgerCommands {
    static final List<String> NODES = List.of("n0", "n1", "n2");
    private static final List<String> SCHEDULERS = List.of("default", "mine");
    private static final List<String> TENANTS = List.of("default", "default", "default", "others");
    private static final TaskState[] STATES = {
        TaskState.TASK_STATE_STARTING,
        TaskState.TASK_STATE_RUNNING,
        TaskState.TASK_STATE_RUNNING,
        TaskState.TASK_STATE_STOPPING,
        TaskState.TASK_STATE_SUCCEEDED,
        TaskState.TASK_STATE_SUCCEEDED,
        TaskState.TASK_STATE_FAILED,
        TaskState.TASK_STATE_CANCELLED,
        TaskState.TASK_STATE_LOST
    };

    private final List<Plan> oldPlans = new ArrayList<>();
    private final List<Envelope> oldRequests = new ArrayList<>();
    private long timeMillis = 1_000;
    private long sequence;

    long timeMillis() {
        return timeMillis;
    }

    Envelope next(ClusterState state, int number) {
        Random random = new Random(number);
        timeMillis += random.nextInt(4) == 0 ? random.nextInt(3_000) : 0;
        return switch (random.nextInt(30)) {
            case 0, 1 -> request(random, submit(random));
            case 2, 3, 4 -> request(random, commit(plan(state, random, true), tenant(random)));
            case 5, 6 -> request(random, hold(state, random));
            case 7 -> withHold(state, random, true);
            case 8 -> withHold(state, random, false);
            case 9 ->
                from(random)
                        .setReleaseAllocations(Plans.release(name(random)).getReleaseAllocations())
                        .build();
            case 10, 11, 12, 13 -> report(state, random);
            case 14 -> cancel(random);
            case 15 -> onNode(state, random, 0);
            case 16 -> onNode(state, random, 1);
            case 17 -> {
                timeMillis += 23_000;
                yield onNode(state, random, 2);
            }
            case 18 -> register(random);
            case 19 -> fence(random);
            case 20 -> freeze(random);
            case 21, 28 -> settle(random);
            case 22 -> again(random);
            case 23 -> planned(random);
            case 24 -> Commands.resize("job-" + random.nextInt(6), random.nextInt(5));
            case 25 -> cordon(random);
            case 26, 27 -> move(state, random);
            default -> {
                timeMillis += random.nextInt(3) == 0 ? 3_600_000 : 7_000;
                yield Commands.tick();
            }
        };
    }

    private static String name(Random random) {
        return "name-" + random.nextInt(4);
    }

    private static String tenant(Random random) {
        return TENANTS.get(random.nextInt(TENANTS.size()));
    }

    private static Envelope.Builder from(Random random) {
        return Envelope.newBuilder().setTenant(tenant(random)).setPrincipal("anonymous");
    }

    private Envelope request(Random random, Envelope command) {
        if (random.nextInt(3) != 0) {
            return command;
        }
        Envelope request = Commands.request("r" + random.nextInt(30), timeMillis + random.nextInt(40_000), command);
        oldRequests.add(request);
        return request;
    }

    private Envelope again(Random random) {
        return oldRequests.isEmpty() ? Commands.tick() : oldRequests.get(random.nextInt(oldRequests.size()));
    }

    private static Envelope submit(Random random) {
        JobSpec.Builder spec = Commands.gang(1 + random.nextInt(3), 500L * random.nextInt(4), 100L * random.nextInt(3))
                .setScheduler(SCHEDULERS.get(random.nextInt(2)));
        if (random.nextBoolean()) {
            spec.setCheckpoint(CheckpointPolicy.newBuilder().setIntervalMillis(1_000));
        }
        if (random.nextInt(5) == 0) {
            spec.setOnLeaseEnd(LeaseEnd.LEASE_END_KEEP);
        }
        if (random.nextInt(3) == 0) {
            spec.getRetryBuilder()
                    .setBackoffMaxMillis(2_000 + random.nextInt(3_000))
                    .setExitCodes(ExitCodes.newBuilder().addFailJob(2).addIgnore(3));
        }
        TaskGroup.Builder group = spec.getGroupsBuilder(0);
        if (random.nextInt(3) == 0) {
            group.setCount(group.getCount() + 1).setMinCount(1 + random.nextInt(group.getCount()));
        }
        if (random.nextInt(3) == 0) {
            group.setSpares(1 + random.nextInt(2));
        }
        return Commands.submit("job-" + random.nextInt(6), spec.build());
    }

    private static Envelope cancel(Random random) {
        return Envelope.newBuilder()
                .setCancelJob(CancelJob.newBuilder()
                        .setTenant(Commands.TENANT)
                        .setJob("job-" + random.nextInt(6))
                        .setForce(random.nextInt(3) == 0))
                .build();
    }

    private static Envelope commit(Plan plan, String tenant) {
        return Envelope.newBuilder()
                .setTenant(tenant)
                .setPrincipal("anonymous")
                .setCommitPlan(CommitPlan.newBuilder().setPlan(plan))
                .build();
    }

    private Plan plan(ClusterState state, Random random, boolean evicts) {
        if (!oldPlans.isEmpty() && random.nextInt(8) == 0) {
            return oldPlans.get(random.nextInt(oldPlans.size()));
        }
        Plan.Builder plan = Plan.newBuilder()
                .setScheduler(SCHEDULERS.get(random.nextInt(2)))
                .setMode(random.nextBoolean() ? PlanMode.PLAN_MODE_PER_GROUP : PlanMode.PLAN_MODE_ALL_OR_NOTHING);
        int gangs = 1 + random.nextInt(3);
        for (int i = 0; i < gangs; i++) {
            GangPlacement.Builder gang = random.nextBoolean() ? named(state, random) : taskGang(state, random);
            Optional<Allocation> victim =
                    evicts && random.nextInt(3) == 0 ? anyAllocation(state, random) : Optional.empty();
            plan.addGangs(
                    victim.map(place -> instead(state, random, gang, place)).orElse(gang));
        }
        oldPlans.add(plan.build());
        return plan.build();
    }

    /** The gang with an eviction, most often on just the place that is evicted. */
    private static GangPlacement.Builder instead(
            ClusterState state, Random random, GangPlacement.Builder gang, Allocation victim) {
        gang.setNominate(random.nextInt(4) != 0).addEvictions(Plans.evict(victim));
        if (gang.getJobUid().isEmpty() && random.nextInt(4) != 0) {
            long epoch = state.node(victim.getNode())
                    .orElseThrow()
                    .node()
                    .getStatus()
                    .getEpoch();
            gang.clearPlacements()
                    .addPlacements(Placement.newBuilder()
                            .setNode(victim.getNode())
                            .setNodeEpoch(epoch)
                            .setClaim(victim.getClaim()));
        }
        return gang;
    }

    private static GangPlacement.Builder named(ClusterState state, Random random) {
        GangPlacement.Builder gang = GangPlacement.newBuilder().setName(name(random));
        int places = 1 + random.nextInt(3);
        for (int i = 0; i < places; i++) {
            gang.addPlacements(placement(state, random, claim(random)));
        }
        return gang;
    }

    private static Placement.Builder placement(ClusterState state, Random random, Claim claim) {
        String node = random.nextInt(40) == 0 ? "n9" : NODES.get(random.nextInt(NODES.size()));
        long epoch = state.node(node)
                .map(entry -> entry.node().getStatus().getEpoch())
                .orElse(1L);
        return Placement.newBuilder()
                .setNode(node)
                .setNodeEpoch(random.nextInt(40) == 0 ? epoch + 1 : epoch)
                .setClaim(claim);
    }

    private static Claim claim(Random random) {
        Claim.Builder claim = Claim.newBuilder();
        int kind = random.nextInt(14);
        if (kind < 5) {
            claim.addDevices(DeviceShare.newBuilder()
                    .setOrdinal(random.nextInt(2))
                    .setMilli(random.nextBoolean() ? 1_000 : 100 * (1 + random.nextInt(9))));
        } else if (kind < 9) {
            claim.addCores(
                    CoreShare.newBuilder().setCoreId(random.nextInt(4)).setMilli(random.nextBoolean() ? 1_000 : 300));
        } else if (kind == 9 || kind > 11) {
            claim.setMemoryBytes(random.nextInt(6) == 0 ? -5 : 100_000L * (1 + random.nextInt(7)));
        } else if (kind == 10) {
            CoreShare.Builder share =
                    CoreShare.newBuilder().setCoreId(random.nextInt(6)).setMilli(random.nextInt(2_000) - 200);
            claim.addCores(share).addCores(share.clone().setCoreId(random.nextInt(6)));
        }
        return claim.build();
    }

    private static GangPlacement.Builder taskGang(ClusterState state, Random random) {
        List<JobEntry> jobs = List.copyOf(state.jobs());
        if (jobs.isEmpty()) {
            return named(state, random);
        }
        JobEntry job = jobs.get(random.nextInt(jobs.size()));
        GangPlacement.Builder gang = Placer.place(state, job.job().getUid()).toBuilder();
        if (gang.getPlacementsCount() > 1 && random.nextInt(4) == 0) {
            gang.removePlacements(gang.getPlacementsCount() - 1 - random.nextInt(2));
        }
        boolean somewhere = random.nextInt(3) == 0;
        for (Placement.Builder placement : gang.getPlacementsBuilderList()) {
            if (somewhere) {
                placement.mergeFrom(
                        placement(state, random, Claim.getDefaultInstance()).build());
            }
        }
        if (random.nextInt(20) == 0) {
            gang.setGeneration(gang.getGeneration() + 1);
        }
        return gang;
    }

    private Envelope hold(ClusterState state, Random random) {
        Plan plan = plan(state, random, false);
        long ttl = random.nextInt(10) == 0 ? 0 : 1_000 + random.nextInt(60_000);
        return from(random)
                .setHoldPlan(HoldPlan.newBuilder().setPlan(plan).setTtlMillis(ttl))
                .build();
    }

    private static Envelope withHold(ClusterState state, Random random, boolean confirms) {
        List<String> holds = state.holds().stream().map(hold -> hold.getId()).toList();
        String id = holds.isEmpty() ? "none" : holds.get(random.nextInt(holds.size()));
        String tenant = state.hold(id).map(hold -> hold.getTenant()).orElse(Commands.TENANT);
        return (confirms ? Plans.confirm(id) : Plans.releaseHold(id))
                .toBuilder().setTenant(tenant).build();
    }

    private static Optional<Allocation> anyAllocation(ClusterState state, Random random) {
        List<Allocation> all = state.nodes().stream()
                .flatMap(node -> node.allocations().stream())
                .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private Envelope report(ClusterState state, Random random) {
        String node = NODES.get(random.nextInt(NODES.size()));
        NodeEntry entry = state.node(node).orElseThrow();
        List<TaskReport> reports = new ArrayList<>();
        for (Allocation allocation : entry.allocations()) {
            if (random.nextInt(3) != 0) {
                long epoch = random.nextInt(20) == 0 ? allocation.getEpoch() - 1 : allocation.getEpoch();
                TaskReport.Builder report = TaskReport.newBuilder()
                        .setAllocationId(allocation.getId())
                        .setEpoch(epoch)
                        .setExitCode(random.nextInt(4))
                        .setState(STATES[random.nextInt(STATES.length)]);
                reports.add(report.build());
            }
        }
        Envelope.Builder command =
                Commands.report(node, entry.node().getStatus().getEpoch(), ++sequence, reports).toBuilder();
        if (random.nextInt(5) == 0) {
            command.getReportTasksBuilder()
                    .getReportBuilder()
                    .addDevices(DeviceReport.newBuilder()
                            .setOrdinal(random.nextInt(3))
                            .setHealth(
                                    random.nextBoolean()
                                            ? DeviceHealth.DEVICE_HEALTH_UNHEALTHY
                                            : DeviceHealth.DEVICE_HEALTH_HEALTHY));
        }
        if (random.nextInt(5) == 0) {
            command.getReportTasksBuilder().getReportBuilder().setConditions(conditions(random));
        }
        return command.build();
    }

    private static NodeConditionList conditions(Random random) {
        NodeConditionList.Builder list = NodeConditionList.newBuilder();
        for (String name : List.of("discovery/a", "discovery/b", "discovery/c")) {
            if (random.nextBoolean()) {
                list.addConditions(NodeCondition.newBuilder().setName(name).setReason("r" + random.nextInt(3)));
            }
        }
        return list.build();
    }

    private static Envelope onNode(ClusterState state, Random random, int what) {
        String node = NODES.get(random.nextInt(NODES.size()));
        long epoch = state.node(node).orElseThrow().node().getStatus().getEpoch();
        return switch (what) {
            case 0 -> Commands.suspect(node, epoch);
            case 1 -> Commands.clear(node, random.nextInt(20) == 0 ? epoch - 1 : epoch);
            default -> Commands.lose(node, epoch);
        };
    }

    private static Envelope register(Random random) {
        Hello.Builder hello = Plans.accelerated(NODES.get(random.nextInt(NODES.size())), random.nextInt(3))
                .setBootId("boot-" + random.nextInt(2));
        if (random.nextInt(4) == 0) {
            hello.setSpec(NodeSpec.newBuilder()
                    .addNuma(NumaNode.newBuilder().addCoreIds(0).addCoreIds(1))
                    .setMemoryBytes(250));
        } else if (random.nextInt(3) == 0) {
            hello.getSpecBuilder().setMemoryBytes(100_000L * (3 + random.nextInt(6)));
        } else if (hello.getSpec().getDevicesCount() > 1 && random.nextBoolean()) {
            hello.getSpecBuilder().getDevicesBuilder(1).setHealth(DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
        }
        return Commands.register(hello);
    }

    /** Mostly of nodes that never register. */
    private static Envelope planned(Random random) {
        String node = random.nextInt(4) == 0 ? NODES.get(0) : "planned-" + random.nextInt(2);
        return random.nextInt(3) == 0
                ? Envelope.newBuilder()
                        .setRemoveNode(RemoveNode.newBuilder().setNode(node))
                        .build()
                : Envelope.newBuilder()
                        .setPlanNode(PlanNode.newBuilder()
                                .setNode(node)
                                .setSpec(NodeSpec.newBuilder().setMemoryBytes(random.nextInt(3))))
                        .build();
    }

    private static Envelope cordon(Random random) {
        String node = random.nextInt(20) == 0 ? "planned-0" : NODES.get(random.nextInt(NODES.size()));
        boolean drain = random.nextBoolean();
        boolean deadline = random.nextInt(20) == 0 || (drain && random.nextBoolean());
        return random.nextInt(3) != 0
                ? Commands.uncordon(node, drain)
                : Commands.cordon(CordonNode.newBuilder()
                        .setNode(node)
                        .setDrain(drain)
                        .setDeadlineAfterMillis(deadline ? 1 + random.nextInt(10_000) : 0));
    }

    /** A running gang leaves some of its places, with or without others. */
    private static Envelope move(ClusterState state, Random random) {
        List<JobEntry> jobs = List.copyOf(state.jobs());
        if (jobs.isEmpty()) {
            return Commands.tick();
        }
        JobEntry job = jobs.get(random.nextInt(jobs.size()));
        String uid = job.job().getUid();
        List<Allocation> leaves = state.nodes().stream()
                .flatMap(node -> node.allocations().stream())
                .filter(place -> random.nextInt(30) == 0
                        || (place.getTask().getJobUid().equals(uid)
                                && place.getState() == AllocationState.ALLOCATION_STATE_BOUND
                                && random.nextInt(3) != 0))
                .toList();
        GangPlacement.Builder gang = (random.nextInt(3) == 0
                        ? Placer.leave(state, uid, leaves)
                        : Placer.move(state, uid, leaves))
                .toBuilder();
        if (random.nextInt(20) == 0) {
            gang.setAttempt(gang.getAttempt() + 1);
        }
        if (gang.getPlacementsCount() > 1 && random.nextInt(10) == 0) {
            gang.removePlacements(gang.getPlacementsCount() - 1);
        }
        String scheduler =
                random.nextInt(20) == 0 ? "mine" : job.job().getSpec().getScheduler();
        return commit(
                Plan.newBuilder()
                        .setScheduler(scheduler)
                        .setMode(PlanMode.PLAN_MODE_PER_GROUP)
                        .addGangs(gang)
                        .build(),
                tenant(random));
    }

    private static Envelope fence(Random random) {
        return Envelope.newBuilder()
                .setFenceNode(FenceNode.newBuilder().setNode(NODES.get(random.nextInt(NODES.size()))))
                .build();
    }

    private static Envelope freeze(Random random) {
        return random.nextBoolean()
                ? Envelope.newBuilder()
                        .setFreezeCluster(FreezeCluster.newBuilder().setForMillis(1_000 + random.nextInt(30_000)))
                        .build()
                : Envelope.newBuilder()
                        .setUnfreezeCluster(UnfreezeCluster.getDefaultInstance())
                        .build();
    }

    private static Envelope settle(Random random) {
        String id = "r" + random.nextInt(30);
        return random.nextInt(3) == 0
                ? Plans.from()
                        .setSealRequest(SealRequest.newBuilder().setRequestId(id))
                        .build()
                : Plans.from()
                        .setAcknowledgeRequests(AcknowledgeRequests.newBuilder().addRequestIds(id))
                        .build();
    }
}
