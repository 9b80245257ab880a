package io.surestate.sim.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.Topology;
import io.surestate.api.v1.WatchEvent;
import io.surestate.sim.cluster.ClusterCopy;
import io.surestate.sim.cluster.ClusterRefusal;
import io.surestate.sim.cluster.VirtualCluster;
import io.surestate.sim.whatif.JobFate.NodeTasks;
import io.surestate.statemachine.state.Conservation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Three nodes of two devices, the last of them in another rack. */
class WhatIfTest {
    private final VirtualCluster running = cluster();

    private static VirtualCluster cluster() {
        VirtualCluster cluster = VirtualCluster.empty();
        for (int i = 1; i <= 3; i++) {
            cluster.register(
                    "n" + i,
                    NodeSpec.newBuilder()
                            .addDomains(Domain.newBuilder().setLevel("rack").setName("r" + i / 3))
                            .addDevices(Device.newBuilder().setOrdinal(0).setKind(DeviceKind.DEVICE_KIND_GPU))
                            .addDevices(Device.newBuilder().setOrdinal(1).setKind(DeviceKind.DEVICE_KIND_GPU))
                            .build());
        }
        return cluster;
    }

    private static Job job(String name, int tasks, Topology topology) {
        return Job.newBuilder()
                .setName(name)
                .setTenant("default")
                .setSpec(JobSpec.newBuilder()
                        .setScheduler("default")
                        .setRetry(RetryPolicy.newBuilder().setMaxAttempts(1))
                        .addGroups(TaskGroup.newBuilder()
                                .setName("g")
                                .setCount(tasks)
                                .setTopology(topology)
                                .setResources(Resources.newBuilder()
                                        .addDevices(DeviceRequest.newBuilder()
                                                .setKind(DeviceKind.DEVICE_KIND_GPU)
                                                .setCount(1)))))
                .build();
    }

    private static Job job(String name, int tasks) {
        return job(name, tasks, Topology.getDefaultInstance());
    }

    /** As a client reads it from the beginning of a watch. */
    private static VirtualCluster copyOf(VirtualCluster cluster) {
        ClusterCopy copy = new ClusterCopy(List.of());
        cluster.state().nodes().forEach(entry -> {
            copy.add(WatchEvent.newBuilder().setNode(entry.node()).build());
            for (Allocation allocation : entry.allocations()) {
                copy.add(WatchEvent.newBuilder().setAllocation(allocation).build());
            }
        });
        cluster.state().jobs().forEach(entry -> {
            copy.add(WatchEvent.newBuilder().setJob(entry.job()).build());
            for (Task task : entry.tasks()) {
                copy.add(WatchEvent.newBuilder().setTask(task).build());
            }
        });
        return copy.build(cluster.revision(), cluster.timeMillis());
    }

    @Test
    void aJobThatFitsIsToldItsNodesAndTheClusterKeepsItsState() {
        long before = running.revision();

        JobFate fate = new WhatIf(copyOf(running)).submitted(job("new", 6));

        assertThat(fate.placed()).isTrue();
        assertThat(fate.places())
                .containsExactlyInAnyOrder(new NodeTasks("n1", 2), new NodeTasks("n2", 2), new NodeTasks("n3", 2));
        assertThat(running.revision()).isEqualTo(before);
    }

    @Test
    void aJobThatWaitsIsToldWhy() {
        new WhatIf(running).submitted(job("first", 5));

        JobFate fate = new WhatIf(copyOf(running)).submitted(job("second", 2));

        assertThat(fate.placed()).isFalse();
        assertThat(fate.places()).isEmpty();
        assertThat(fate.reason()).startsWith("group g: 1 of 2 tasks fit");
    }

    @Test
    void aJobThatLosesANodeMovesWhereThereIsRoom() {
        WhatIf now = new WhatIf(running);
        String node = now.submitted(job("moves", 2)).places().get(0).node();
        VirtualCluster copy = copyOf(running);

        List<JobFate> fates = new WhatIf(copy).without(List.of(node));

        assertThat(fates).singleElement().satisfies(fate -> {
            assertThat(fate.name()).isEqualTo("moves");
            assertThat(fate.lost()).isNotEmpty().allMatch(lost -> lost.node().equals(node));
            assertThat(fate.placed()).isTrue();
            assertThat(fate.places()).noneMatch(place -> place.node().equals(node));
            assertThat(fate.places().stream().mapToInt(NodeTasks::tasks).sum()).isEqualTo(2);
        });
        assertThat(Conservation.problems(copy.state())).isEmpty();
    }

    @Test
    void aJobThatInsistsOnARackThatIsGoneWaits() {
        Topology required =
                Topology.newBuilder().setPack("rack").setRequired(true).build();
        new WhatIf(running).submitted(job("insists", 4, required));

        List<JobFate> fates = new WhatIf(copyOf(running)).without(List.of("n2"));

        assertThat(fates).singleElement().satisfies(fate -> {
            assertThat(fate.lost()).hasSize(2);
            assertThat(fate.reason()).contains("tasks fit in one rack");
        });
    }

    @Test
    void questionsBuildOnEachOther() {
        WhatIf whatIf = new WhatIf(copyOf(running));

        assertThat(whatIf.without(List.of("n1", "n2"))).isEmpty();
        assertThat(whatIf.submitted(job("new", 2)).places()).containsExactly(new NodeTasks("n3", 2));
    }

    @Test
    void namesNodesThatCannotBeTakenAway() {
        assertThat(new WhatIf(running).problem("n1")).isEmpty();
        assertThat(new WhatIf(running).problem("n9")).hasValue("node: \"n9\" (expected: one that the cluster has)");
    }

    @Test
    void aNameThatALiveJobHasIsRefused() {
        WhatIf whatIf = new WhatIf(running);
        whatIf.submitted(job("twice", 1));

        assertThatThrownBy(() -> whatIf.submitted(job("twice", 1)))
                .isInstanceOf(ClusterRefusal.class)
                .hasMessageContaining("twice");
    }

    @Test
    void aCopyThatDoesNotAddUpIsRefused() {
        new WhatIf(running).submitted(job("one", 1));
        ClusterCopy copy = new ClusterCopy(List.of());
        running.state().nodes().forEach(entry -> {
            copy.add(WatchEvent.newBuilder().setNode(entry.node()).build());
            entry.allocations()
                    .forEach(place -> copy.add(
                            WatchEvent.newBuilder().setAllocation(place).build()));
        });

        assertThatThrownBy(() -> copy.build(9, 0))
                .isInstanceOf(ClusterRefusal.class)
                .hasMessageContaining("the cluster at revision 9: owner of ");
    }
}
