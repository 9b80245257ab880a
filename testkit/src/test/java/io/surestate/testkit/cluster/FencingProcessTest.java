package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.CancelJobRequest;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldPlanRequest;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListAllocationsRequest;
import io.surestate.api.v1.ListHoldsRequest;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that freeze and wires that are cut: nothing runs twice, nothing is freed early, nothing is given up too soon. */
class FencingProcessTest {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final int HOLD_MILLIS = 20_000;
    private static final long FROZEN_MILLIS = 10_000;

    @TempDir
    private Path folder;

    /** Marks the file with its epoch and the time, ten times a second, until the stop file is there. */
    private String marks() {
        return "while [ ! -e " + folder.resolve("stop")
                + " ]; do echo \"$SURESTATE_EPOCH $(cut -d' ' -f1 /proc/uptime)\" >> " + folder.resolve("marks")
                + "; sleep 0.1; done";
    }

    private record Run(long epoch, double first, double last) {}

    /** When each epoch was seen alive, on the machine's one uptime clock; by epoch. */
    private List<Run> runs() throws IOException {
        Map<Long, Run> runs = new TreeMap<>();
        for (String line : lines()) {
            String[] mark = line.split(" ", 2);
            long epoch = Long.parseLong(mark[0]);
            double at = Double.parseDouble(mark[1]);
            runs.merge(epoch, new Run(epoch, at, at), (a, b) -> new Run(epoch, a.first(), b.last()));
        }
        return new ArrayList<>(runs.values());
    }

    private List<String> lines() throws IOException {
        try {
            return Files.readAllLines(folder.resolve("marks"));
        } catch (NoSuchFileException none) {
            return List.of();
        }
    }

    private static void awaitNode(Api api, String name, NodeState state) {
        await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> node(api, name).getStatus().getState() == state);
    }

    private static Node node(Api api, String name) {
        return api.nodes().getNodesList().stream()
                .filter(node -> node.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Allocation> allocations(Api api) {
        return api.client()
                .call(LedgerGrpc.getListAllocationsMethod(), ListAllocationsRequest.getDefaultInstance(), CALL)
                .getAllocationsList();
    }

    /** A job for one whole core. */
    private static Job wholeCore(Job job) {
        Job.Builder whole = job.toBuilder();
        whole.getSpecBuilder().getGroupsBuilder(0).getResourcesBuilder().setCpuMillicores(1_000);
        return whole.build();
    }

    @Test
    void anAgentFrozenPastItsLeaseFindsItsTasksDeadAndReplaced() throws IOException {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgent("n1", "0", "1Gi");
            awaitNode(api, "n1", NodeState.NODE_STATE_READY);
            api.submit(Api.checkpointedJob("marked", 1, marks(), "UNUSED", ""));
            await().atMost(SOON).until(() -> !runs().isEmpty());
            cluster.startAgent("n2", "1", "1Gi");
            awaitNode(api, "n2", NodeState.NODE_STATE_READY);

            cluster.freezeAgent("n1");
            await().atMost(SOON).until(() -> runs().size() == 2);
            cluster.thawAgent("n1");
            awaitNode(api, "n1", NodeState.NODE_STATE_READY);
            Files.createFile(folder.resolve("stop"));
            await().atMost(SOON)
                    .until(() -> api.job("marked").getJob().getStatus().getPhase() == JobPhase.JOB_PHASE_SUCCEEDED);

            List<Run> runs = runs();
            assertThat(runs).hasSize(2);
            assertThat(runs.get(0).last())
                    .as("the keeper killed the old task before the new one began")
                    .isLessThan(runs.get(1).first());
            assertThat(api.job("marked").getJob().getStatus().getNodeLosses()).isEqualTo(1);
            assertThat(allocations(api)).isEmpty();
        }
    }

    @Test
    void aLeaderFrozenForTenSecondsLosesNoNodeAndEndsNoHoldEarly() throws IOException {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgent("n1", "0-1", "1Gi");
            awaitNode(api, "n1", NodeState.NODE_STATE_READY);
            api.submit(Api.checkpointedJob("marked", 1, marks(), "UNUSED", ""));
            await().atMost(SOON).until(() -> !runs().isEmpty());
            long began = System.nanoTime();
            hold(api, node(api, "n1"));

            int leader = Integer.parseInt(api.status().getLeaderId().substring(1)) - 1;
            cluster.freezeServer(leader);
            await().pollDelay(Duration.ofMillis(FROZEN_MILLIS)).atMost(SOON).until(() -> true);
            cluster.thawServer(leader);

            await().atMost(SOON).until(() -> holds(api).get(0).getState() == HoldState.HOLD_STATE_EXPIRED);
            long stood = (System.nanoTime() - began) / 1_000_000;
            Hold over = holds(api).get(0);
            assertThat(stood).isGreaterThanOrEqualTo(HOLD_MILLIS);
            assertThat(over.getEndedMillis()).isEqualTo(over.getCreatedMillis() + HOLD_MILLIS);
            Files.createFile(folder.resolve("stop"));
            await().atMost(SOON)
                    .until(() -> api.job("marked").getJob().getStatus().getPhase() == JobPhase.JOB_PHASE_SUCCEEDED);
            assertThat(api.job("marked").getJob().getStatus().getNodeLosses()).isZero();
            assertThat(runs()).hasSize(1);
        }
    }

    private static void hold(Api api, Node node) {
        Placement placement = Placement.newBuilder()
                .setNode(node.getName())
                .setNodeEpoch(node.getStatus().getEpoch())
                .setClaim(Claim.newBuilder().setMemoryBytes(1 << 20))
                .build();
        var held = api.client()
                .call(
                        LedgerGrpc.getHoldPlanMethod(),
                        HoldPlanRequest.newBuilder()
                                .setPlan(Plan.newBuilder()
                                        .addGangs(GangPlacement.newBuilder()
                                                .setName("held")
                                                .addPlacements(placement)))
                                .setTtlMillis(HOLD_MILLIS)
                                .build(),
                        CALL);
        assertThat(held.getConflictsList()).isEmpty();
    }

    private static List<Hold> holds(Api api) {
        return api.client()
                .call(LedgerGrpc.getListHoldsMethod(), ListHoldsRequest.getDefaultInstance(), CALL)
                .getHoldsList();
    }

    @Test
    void whatAPartitionedAgentHoldsIsNotGivenAwayWhenItsJobIsRemovedByForce() throws IOException {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                CuttableRelay relay = new CuttableRelay(layout.endpoint(0));
                Api api = Api.of(layout)) {
            cluster.startAgent("n1", "0", "1Gi", List.of(relay.endpoint()));
            awaitNode(api, "n1", NodeState.NODE_STATE_READY);
            api.submit(wholeCore(Api.shellJob("keeps", 1, marks())));
            await().atMost(SOON).until(() -> !runs().isEmpty());

            relay.cut();
            awaitNode(api, "n1", NodeState.NODE_STATE_SUSPECTED);
            api.client()
                    .call(
                            JobsGrpc.getCancelJobMethod(),
                            CancelJobRequest.newBuilder()
                                    .setJob("keeps")
                                    .setForce(true)
                                    .build(),
                            CALL);
            api.submit(wholeCore(Api.shellJob("next", 1, marks())));
            assertThat(allocations(api))
                    .singleElement()
                    .matches(place -> place.getState() == AllocationState.ALLOCATION_STATE_RELEASING);
            awaitNode(api, "n1", NodeState.NODE_STATE_LOST);
            assertThat(allocations(api)).hasSize(1);
            assertThat(api.job("next").getJob().getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);

            relay.join();
            await().atMost(SOON).until(() -> runs().size() == 2);
            Files.createFile(folder.resolve("stop"));
            await().atMost(SOON)
                    .until(() -> api.job("next").getJob().getStatus().getPhase() == JobPhase.JOB_PHASE_SUCCEEDED);
            assertThat(runs().get(0).last())
                    .as("the old task was proven gone before the new one began")
                    .isLessThan(runs().get(1).first());
        }
    }
}
