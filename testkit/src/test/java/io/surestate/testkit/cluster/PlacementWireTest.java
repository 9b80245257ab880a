package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.RequestHeader;
import io.surestate.api.v1.ResizeJobRequest;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskState;
import io.surestate.api.v1.Topology;
import io.surestate.client.SurestateException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Placement as a client in another process meets it: 20 nodes of 8 GPUs, sixteen of them in one rack and four in another. */
class PlacementWireTest {
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int NODES = 20;

    @TempDir
    private Path folder;

    private ProcessCluster cluster;
    private Api api;

    @BeforeEach
    void start() {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        cluster = ProcessCluster.start(layout);
        api = Api.of(layout);
        cluster.startFakeNodes("fake", NODES + "x8");
        await().atMost(SOON).ignoreExceptions().until(() -> api.readyNodes() == NODES);
    }

    @AfterEach
    void stop() {
        api.close();
        cluster.close();
    }

    private static SubmitJobRequest.Builder job(
            String name, int count, DeviceRequest.Builder devices, Topology topology) {
        return SubmitJobRequest.newBuilder()
                .setHeader(RequestHeader.newBuilder().setRequestId("submit-" + name))
                .setJob(Job.newBuilder()
                        .setName(name)
                        .setSpec(JobSpec.newBuilder()
                                .setType(JobType.JOB_TYPE_AI_TRAINING)
                                .addGroups(TaskGroup.newBuilder()
                                        .setName("w")
                                        .setCount(count)
                                        .setTopology(topology)
                                        .setResources(Resources.newBuilder()
                                                .addDevices(devices.setKind(DeviceKind.DEVICE_KIND_GPU)))
                                        .addCommand("true"))));
    }

    private long placed(String name) {
        return api.job(name).getTasksList().stream()
                .filter(task -> task.getState() != TaskState.TASK_STATE_PENDING && !task.getLeaving())
                .count();
    }

    @Test
    void anElasticGangStartsWithWhatThereIsShrinksWhenToldAndGrowsAgain() {
        submit(job("other", 8, gpus(8), Topology.getDefaultInstance()).build());
        whenPlaced("other");
        SubmitJobRequest.Builder elastic = job("elastic", 16, gpus(8), Topology.getDefaultInstance());
        elastic.getJobBuilder().getSpecBuilder().getGroupsBuilder(0).setMinCount(4);
        submit(elastic.build());
        whenPlaced("elastic");
        assertThat(placed("elastic")).isEqualTo(12);

        api.client()
                .call(
                        JobsGrpc.getResizeJobMethod(),
                        ResizeJobRequest.newBuilder()
                                .setHeader(RequestHeader.newBuilder().setRequestId("resize"))
                                .setJob("elastic")
                                .setCount(10)
                                .build(),
                        CALL);
        await().atMost(SOON)
                .until(() -> api.job("elastic").getTasksList().stream().noneMatch(task -> task.getLeaving()));
        assertThat(placed("elastic")).isEqualTo(10);
        assertThat(api.job("elastic").getJob().getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);

        api.client()
                .call(
                        JobsGrpc.getResizeJobMethod(),
                        ResizeJobRequest.newBuilder()
                                .setHeader(RequestHeader.newBuilder().setRequestId("resize-again"))
                                .setJob("elastic")
                                .setCount(16)
                                .build(),
                        CALL);
        api.cancel("other");
        await().atMost(SOON).until(() -> placed("elastic") == 16);
    }

    private void submit(SubmitJobRequest request) {
        api.client().call(JobsGrpc.getSubmitJobMethod(), request, CALL);
    }

    private GetJobResponse whenPlaced(String name) {
        await().atMost(SOON).until(() -> api.job(name).getJob().getStatus().getPhase() == JobPhase.JOB_PHASE_RUNNING);
        return api.job(name);
    }

    private void refused(SubmitJobRequest request, String part) {
        SurestateException refused = catchThrowableOfType(SurestateException.class, () -> submit(request));
        assertThat(refused).isNotNull();
        assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_UNSATISFIABLE);
        assertThat(refused.getMessage()).contains(part);
    }

    private static DeviceRequest.Builder gpus(int count) {
        return DeviceRequest.newBuilder().setCount(count);
    }

    private static Topology packed() {
        return Topology.newBuilder().setPack("rack").setRequired(true).build();
    }

    @Test
    void whatCanNeverRunIsRefusedUnlessItMayWaitForTheFuture() {
        Topology anywhere = Topology.getDefaultInstance();
        refused(job("nine", 1, gpus(9), anywhere).build(), "1 device more on");
        refused(
                job("model", 1, gpus(1).setModel("H100"), anywhere).build(),
                "no node has a GPU model H100; there are FAKE FAKE-GPU");
        refused(
                job("rack", 17, gpus(8), packed()).build(),
                "16 of 17 tasks fit in one rack, the roomiest being rack=fake-rack-0");
        refused(
                job("level", 1, gpus(1), packed().toBuilder().setPack("tray").build())
                        .build(),
                "a level that nodes name: rack");
        submit(job("nine", 1, gpus(9), anywhere).setAllowFuture(true).build());
        await().atMost(SOON).until(() -> api.job("nine").getPendingReason().contains("1 device more on"));
    }

    @Test
    void aJobThatWasTakenIsNotRefusedWhenItIsAskedForAgain() {
        SubmitJobRequest large = job("large", 1, gpus(9), Topology.getDefaultInstance())
                .setAllowFuture(true)
                .build();
        submit(large);
        submit(large);
        assertThat(api.jobs()).hasSize(1);
    }

    @Test
    void gangsArePackedAndSharesShareADevice() {
        submit(job("gang", 4, gpus(8), packed()).build());
        List<String> nodes =
                whenPlaced("gang").getTasksList().stream().map(Task::getNode).toList();
        // The tightest rack that has room: the one of four nodes.
        assertThat(nodes).containsExactly("fake-00016", "fake-00017", "fake-00018", "fake-00019");
        submit(job("shares", 4, gpus(1).setShareMilli(250), Topology.getDefaultInstance())
                .build());
        assertThat(whenPlaced("shares").getTasksList().stream()
                        .map(Task::getNode)
                        .distinct())
                .hasSize(1);
    }
}
