package io.surestate.sim.nodes;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.Topology;

/**
 * What a job of a trace asks of nodes: one task for each accelerator and nothing beside it, as a training job, which is packed near in any case.
 *
 * @param pack level whose domains gangs are packed into; empty = the scheduler's own choice
 * @param required whether gangs for which a domain of that level has room insist on one
 */
public record GangForm(String pack, boolean required) {
    static final String GROUP = "rank";

    private static final String TENANT = "simulated";

    /** Accelerators of the widest job that a cluster can take. */
    public static int widest(GangCluster cluster) {
        return Math.min(Limits.TASKS_PER_GROUP_MAX, cluster.total());
    }

    Job job(String name, DeviceKind kind, int accelerators, int roomiest) {
        Topology topology = Topology.newBuilder()
                .setPack(pack)
                .setRequired(required && accelerators <= roomiest)
                .build();
        TaskGroup.Builder group = TaskGroup.newBuilder()
                .setName(GROUP)
                .setCount(accelerators)
                .setTopology(topology)
                .setResources(Resources.newBuilder()
                        .addDevices(DeviceRequest.newBuilder().setKind(kind).setCount(1)));
        return Job.newBuilder()
                .setName(name)
                .setTenant(TENANT)
                .setSpec(JobSpec.newBuilder()
                        .setType(JobType.JOB_TYPE_AI_TRAINING)
                        .setScheduler(Names.SCHEDULER_DEFAULT)
                        .addGroups(group))
                .build();
    }
}
