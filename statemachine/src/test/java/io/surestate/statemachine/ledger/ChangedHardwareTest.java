package io.surestate.statemachine.ledger;

import static io.surestate.statemachine.fixture.Plans.commit;
import static io.surestate.statemachine.fixture.Plans.device;
import static io.surestate.statemachine.fixture.Plans.hold;
import static io.surestate.statemachine.fixture.Plans.named;
import static io.surestate.statemachine.fixture.Plans.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.PlanConflict;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.FenceNode;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes that come back with other hardware under holds and nominations. */
class ChangedHardwareTest {
    private static final long TTL_MILLIS = 600_000;

    private static Claim memory(long bytes) {
        return Claim.newBuilder().setMemoryBytes(bytes).build();
    }

    private static void shrink(TestCluster cluster, long bytes) {
        cluster.run(Commands.register(
                Commands.hello("n1").setSpec(Commands.nodeSpec().setMemoryBytes(bytes))));
    }

    private static Allocation only(TestCluster cluster, String name) {
        List<Allocation> all = cluster.state().named(Commands.TENANT, name);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static void nominate(TestCluster cluster, String name, long bytes, Allocation victim) {
        var result = cluster.run(commit(named(name, on(cluster, "n1", memory(bytes)))
                        .setNominate(true)
                        .addEvictions(Plans.evict(victim))))
                .getPlan();
        assertThat(result.getCommitted(0).getState()).isEqualTo(AllocationState.ALLOCATION_STATE_NOMINATED);
    }

    @Test
    void aPromiseThatNoLongerFitsBesideWhatIsBoundIsWithdrawn() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            cluster.run(commit(named("bound", on(cluster, "n1", memory(300_000)))));
            cluster.run(commit(named("victim", on(cluster, "n1", memory(700_000)))));
            nominate(cluster, "promised", 400_000, only(cluster, "victim"));
            shrink(cluster, 500_000);
            assertThat(cluster.state().named(Commands.TENANT, "promised")).isEmpty();
            cluster.run(Plans.release("victim"));
            assertThat(cluster.state().node("n1").orElseThrow().free().memoryBytes())
                    .isEqualTo(200_000);
        }
    }

    @Test
    void ofTwoPromisesTheOlderIsKept() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            cluster.run(commit(named("victim", on(cluster, "n1", memory(1_000_000)))));
            nominate(cluster, "older", 400_000, only(cluster, "victim"));
            nominate(cluster, "younger", 400_000, only(cluster, "victim"));
            shrink(cluster, 500_000);
            assertThat(cluster.state().named(Commands.TENANT, "younger")).isEmpty();
            cluster.run(Plans.release("victim"));
            assertThat(only(cluster, "older").getState()).isEqualTo(AllocationState.ALLOCATION_STATE_BOUND);
        }
    }

    @Test
    void aPromisedGangOfAJobGoesBackToWaitingWhole() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            cluster.run(commit(named("victim", on(cluster, "n1", memory(1_000_000)))));
            Job job = cluster.submit(
                    "train",
                    Commands.gang(2, 1_000, 400_000)
                            .setScheduler(Plans.SCHEDULER)
                            .build());
            GangPlacement.Builder gang = GangPlacement.newBuilder()
                    .setJobUid(job.getUid())
                    .setGeneration(1)
                    .setAttempt(1)
                    .setNominate(true)
                    .addEvictions(Plans.evict(only(cluster, "victim")));
            for (int i = 0; i < 2; i++) {
                Claim claim =
                        Plans.core(i, 1_000).toBuilder().setMemoryBytes(400_000).build();
                gang.addPlacements(
                        on(cluster, "n1", claim).toBuilder().setGroup("worker").setIndex(i));
            }
            assertThat(cluster.run(commit(gang)).getPlan().getConflictsList()).isEmpty();
            shrink(cluster, 500_000);
            assertThat(cluster.job(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
        }
    }

    private static TestCluster accelerators(int count) {
        TestCluster cluster = TestCluster.with();
        cluster.run(Commands.register(Plans.accelerated("n1", count)));
        return cluster;
    }

    private static PlanConflict confirmConflict(TestCluster cluster, Hold hold) {
        var result = cluster.run(Plans.confirm(hold.getId())).getPlan();
        assertThat(result.getConflictsList()).hasSize(1);
        assertThat(result.getHold().getState()).isEqualTo(HoldState.HOLD_STATE_STANDING);
        return result.getConflicts(0);
    }

    @Test
    void aHoldOnADeviceThatIsGoneIsNotConfirmed() {
        try (TestCluster cluster = accelerators(8)) {
            Hold hold = cluster.run(hold(TTL_MILLIS, named("a", on(cluster, "n1", device(7)))))
                    .getPlan()
                    .getHold();
            cluster.run(Commands.register(Plans.accelerated("n1", 4)));
            assertThat(confirmConflict(cluster, hold).getKind()).isEqualTo(ConflictKind.CONFLICT_KIND_CLAIM);
            cluster.run(Commands.register(Plans.accelerated("n1", 8)));
            assertThat(cluster.run(Plans.confirm(hold.getId())).getPlan().getConflictsList())
                    .isEmpty();
        }
    }

    @Test
    void aHoldForATaskIsNotConfirmedOnAnotherModel() {
        try (TestCluster cluster = accelerators(2)) {
            Job job = cluster.submit(
                    "train",
                    Commands.accelerated(1, 1, "H100").toBuilder()
                            .setScheduler(Plans.SCHEDULER)
                            .build());
            GangPlacement.Builder gang = GangPlacement.newBuilder()
                    .setJobUid(job.getUid())
                    .setGeneration(1)
                    .setAttempt(1)
                    .addPlacements(on(cluster, "n1", device(0)).toBuilder().setGroup("worker"));
            Hold hold = cluster.run(hold(TTL_MILLIS, gang)).getPlan().getHold();
            NodeSpec.Builder other = Commands.nodeSpec().addDevices(Commands.gpu(0, "A10"));
            cluster.run(Commands.register(Commands.hello("n1").setSpec(other)));
            assertThat(confirmConflict(cluster, hold).getWhat()).isEqualTo("devices");
        }
    }

    @Test
    void aHoldOnMemoryThatIsGoneIsNotConfirmed() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            cluster.run(commit(named("bound", on(cluster, "n1", memory(600_000)))));
            Hold hold = cluster.run(hold(TTL_MILLIS, named("a", on(cluster, "n1", memory(400_000)))))
                    .getPlan()
                    .getHold();
            shrink(cluster, 700_000);
            PlanConflict conflict = confirmConflict(cluster, hold);
            assertThat(conflict.getKind()).isEqualTo(ConflictKind.CONFLICT_KIND_TAKEN);
            assertThat(conflict.getHolder()).isEqualTo(only(cluster, "bound").getId());
            assertThat(conflict.getFree()).isEqualTo(100_000);
        }
    }

    @Test
    void theFenceEndsHoldsToo() {
        try (TestCluster cluster = accelerators(2)) {
            Hold hold = cluster.run(hold(TTL_MILLIS, named("a", on(cluster, "n1", device(0)))))
                    .getPlan()
                    .getHold();
            cluster.loseNode("n1");
            cluster.run(Envelope.newBuilder()
                    .setFenceNode(FenceNode.newBuilder().setNode("n1"))
                    .build());
            assertThat(cluster.state().node("n1").orElseThrow().allocations()).isEmpty();
            assertThat(cluster.state().hold(hold.getId()).orElseThrow().getState())
                    .isEqualTo(HoldState.HOLD_STATE_RELEASED);
            assertThat(cluster.run(Commands.register(Plans.accelerated("n1", 2)
                                    .setNodeId("replacement")
                                    .setBootId("b2")))
                            .hasNode())
                    .isTrue();
        }
    }

    @Test
    void theHolderIsNamedAlsoWhereBothPlansStandInOneEntry() {
        try (TestCluster cluster = accelerators(1)) {
            var outcomes = cluster.runAll(
                            commit(named("a", on(cluster, "n1", device(0)))),
                            commit(named("b", on(cluster, "n1", device(0)))))
                    .outcomes();
            PlanConflict conflict = outcomes.get(1).getPlan().getConflicts(0);
            assertThat(conflict.getHolder()).isEqualTo(only(cluster, "a").getId());
            assertThat(conflict.getSinceRevision()).isEqualTo(only(cluster, "a").getEpoch());
        }
    }

    @Test
    void onePlanWithOneNameTwiceIsToldSo() {
        try (TestCluster cluster = accelerators(2)) {
            var result = cluster.run(
                            commit(named("a", on(cluster, "n1", device(0))), named("a", on(cluster, "n1", device(1)))))
                    .getPlan();
            assertThat(result.getConflicts(0).getMessage()).contains("a name for each gang of the plan");
        }
    }

    @Test
    void lettingGoOfOnePlaceOfAPromisedGangLetsGoOfAll() {
        try (TestCluster cluster = accelerators(2)) {
            cluster.run(commit(named("victim", on(cluster, "n1", device(0)), on(cluster, "n1", device(1)))));
            GangPlacement.Builder gang = named("gang", on(cluster, "n1", device(0)), on(cluster, "n1", device(1)));
            cluster.state().named(Commands.TENANT, "victim").forEach(victim -> gang.addEvictions(Plans.evict(victim)));
            cluster.run(commit(gang.setNominate(true)));
            Allocation one = cluster.state().named(Commands.TENANT, "gang").get(0);
            assertThat(cluster.run(Plans.release(Plans.ref(one))).getReleased().getCount())
                    .isEqualTo(2);
        }
    }
}
