package io.surestate.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import io.surestate.statemachine.state.Conservation;
import org.junit.jupiter.api.Test;

class VirtualClusterTest {
    private final VirtualCluster cluster = VirtualCluster.empty();
    private final Node node = cluster.register(
            "n1",
            NodeSpec.newBuilder()
                    .addDevices(Device.newBuilder().setKind(DeviceKind.DEVICE_KIND_GPU))
                    .build());

    private Job submit(String name) {
        return cluster.submit(Job.newBuilder()
                .setName(name)
                .setTenant("default")
                .setSpec(JobSpec.newBuilder()
                        .setScheduler("default")
                        .addGroups(TaskGroup.newBuilder()
                                .setName("g")
                                .setCount(1)
                                .setResources(Resources.newBuilder()
                                        .addDevices(DeviceRequest.newBuilder()
                                                .setKind(DeviceKind.DEVICE_KIND_GPU)
                                                .setCount(1)))))
                .build());
    }

    private Plan plan(Job job) {
        return Plan.newBuilder()
                .setScheduler("default")
                .addGangs(GangPlacement.newBuilder()
                        .setJobUid(job.getUid())
                        .setGeneration(1)
                        .setAttempt(1)
                        .addPlacements(Placement.newBuilder()
                                .setGroup("g")
                                .setNode("n1")
                                .setNodeEpoch(node.getStatus().getEpoch())
                                .setClaim(Claim.newBuilder()
                                        .addDevices(DeviceShare.newBuilder().setMilli(1_000)))))
                .build();
    }

    private JobPhase phase(Job job) {
        return cluster.state().job(job.getUid()).orElseThrow().job().getStatus().getPhase();
    }

    @Test
    void aPlacedJobHoldsItsDeviceUntilItEndsAndIsForgottenThen() {
        Job job = submit("one");
        cluster.commit(plan(job));
        assertThat(phase(job)).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        assertThat(cluster.state().counts().allocations()).isEqualTo(1);

        cluster.advance(5_000);
        cluster.finish(job.getUid());

        assertThat(cluster.state().job(job.getUid())).isEmpty();
        assertThat(cluster.state().counts().allocations()).isZero();
        assertThat(cluster.state().meta().getTimeMillis()).isEqualTo(5_000);
        assertThat(Conservation.problems(cluster.state())).isEmpty();
    }

    @Test
    void aPlanThatGivesADeviceTwiceEndsTheSimulation() {
        cluster.commit(plan(submit("one")));
        Plan second = plan(submit("two"));

        assertThatThrownBy(() -> cluster.commit(second))
                .isInstanceOf(ClusterRefusal.class)
                .hasMessageContaining("device 0");
        assertThat(cluster.state().counts().allocations()).isEqualTo(1);
    }

    @Test
    void aNodeThatIsTakenAwayLosesItsTasksAndTheJobWaitsAgain() {
        Job job = submit("one");
        cluster.commit(plan(job));

        cluster.takeAway("n1", "what if");

        assertThat(phase(job)).isEqualTo(JobPhase.JOB_PHASE_PENDING);
        assertThat(cluster.state().node("n1").orElseThrow().schedulable()).isFalse();
        assertThat(Conservation.problems(cluster.state())).isEmpty();
    }
}
