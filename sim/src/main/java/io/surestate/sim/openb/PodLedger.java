package io.surestate.sim.openb;

import io.surestate.api.Names;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import io.surestate.scheduler.pool.Fit;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Pool;
import io.surestate.sim.cluster.VirtualCluster;
import io.surestate.statemachine.state.NodeEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ledger of one run of the experiment, kept by the state machine core: each pod that finds a place is submitted as a job of one task, and its
 * place committed as a plan. CPU, which the trace knows as a sum, is a countable here, because the ledger gives out cores by their ids.
 * Used by one thread.
 */
final class PodLedger {
    private static final String CPU = "cpu-milli";
    private static final String TENANT = "default";
    private static final String GROUP = "pod";
    private static final int MEBIBYTE_SHIFT = 20;

    private final VirtualCluster cluster = VirtualCluster.empty();
    private final Map<String, Long> epochs = new LinkedHashMap<>();
    private long pods;

    PodLedger(List<OpenbNode> nodes) {
        for (OpenbNode node : nodes) {
            epochs.put(
                    node.name(),
                    cluster.register(node.name(), spec(node)).getStatus().getEpoch());
        }
    }

    private static NodeSpec spec(OpenbNode node) {
        NodeSpec.Builder spec = NodeSpec.newBuilder()
                .setMemoryBytes(node.memoryMib() << MEBIBYTE_SHIFT)
                .addCountables(countable(node.cpuMilli()));
        for (int ordinal = 0; ordinal < node.gpus(); ordinal++) {
            spec.addDevices(Device.newBuilder()
                    .setOrdinal(ordinal)
                    .setKind(DeviceKind.DEVICE_KIND_GPU)
                    .setModel(node.model())
                    .setHealth(DeviceHealth.DEVICE_HEALTH_HEALTHY));
        }
        return spec.build();
    }

    private static Countable countable(long cpuMilli) {
        return Countable.newBuilder().setName(CPU).setAmount(cpuMilli).build();
    }

    /** A pod found a place. */
    void placed(OpenbPod pod, NodeRow node, Fit fit) {
        Job job = cluster.submit(Job.newBuilder()
                .setName(GROUP + "-" + ++pods)
                .setTenant(TENANT)
                .setSpec(JobSpec.newBuilder()
                        .setType(JobType.JOB_TYPE_BATCH)
                        .setScheduler(Names.SCHEDULER_DEFAULT)
                        .addGroups(TaskGroup.newBuilder()
                                .setName(GROUP)
                                .setCount(1)
                                .setResources(asked(pod))))
                .build());
        Claim.Builder claim = node.claim(fit).toBuilder().clearCores();
        if (pod.cpuMilli() > 0) {
            claim.addCountables(countable(pod.cpuMilli()));
        }
        cluster.commit(Plan.newBuilder()
                .setScheduler(Names.SCHEDULER_DEFAULT)
                .setSeenRevision(cluster.state().revision())
                .addGangs(GangPlacement.newBuilder()
                        .setJobUid(job.getUid())
                        .setGeneration(job.getGeneration())
                        .setAttempt(job.getStatus().getAttempt())
                        .addPlacements(Placement.newBuilder()
                                .setGroup(GROUP)
                                .setNode(node.name())
                                .setNodeEpoch(epochs.getOrDefault(node.name(), 0L))
                                .setClaim(claim)))
                .build());
    }

    private static Resources asked(OpenbPod pod) {
        Resources.Builder asked = Resources.newBuilder().setMemoryBytes(pod.memoryMib() << MEBIBYTE_SHIFT);
        if (pod.cpuMilli() > 0) {
            asked.addCountables(countable(pod.cpuMilli()));
        }
        if (pod.gpus() > 0) {
            asked.addDevices(DeviceRequest.newBuilder()
                    .setKind(DeviceKind.DEVICE_KIND_GPU)
                    .setCount(pod.gpus())
                    .setShareMilli(pod.gpuMilli())
                    .addAllModels(pod.models()));
        }
        return asked.build();
    }

    /** Refuses a pool that has anything else free than the ledger. */
    void check(Pool pool) {
        for (int at = 0; at < pool.size(); at++) {
            NodeRow row = pool.node(at);
            NodeEntry entry = cluster.state().node(row.name()).orElseThrow();
            boolean same = row.memoryFreeBytes() == entry.free().memoryBytes()
                    && row.cpuFreeMilli() == entry.free().named().of(CPU);
            for (int position = 0; same && position < row.deviceCount(); position++) {
                int milli = entry.free().devices().milli(row.deviceOrdinal(position));
                same = milli == row.deviceFreeMilli(position);
            }
            if (!same) {
                throw new IllegalStateException("pool and ledger differ in what is free on node " + row.name());
            }
        }
    }
}
