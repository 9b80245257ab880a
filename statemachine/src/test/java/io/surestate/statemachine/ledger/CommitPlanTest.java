package io.surestate.statemachine.ledger;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.surestate.api.Limits;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.CommittedGang;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.PlanResult;
import io.surestate.api.v1.TaskState;
import io.surestate.log.v1.Envelope;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Placer;
import io.surestate.statemachine.fixture.TestCluster;
import java.util.Collections;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CommitPlanTest {
    @Test
    void aGangTakesAllItsPlacesInOneEntry() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = cluster.submit("train", Commands.gang(3, 2_500, 100).build());
            Job second = cluster.submit("small", Commands.gang(1));
            assertThat(Placer.place(cluster.state(), job.getUid()).getPlacementsCount())
                    .isEqualTo(2);
            cluster.run(Commands.register("n3"));
            cluster.place(job.getUid());
            assertThat(cluster.job(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(cluster.tasks(job.getUid()))
                    .allMatch(task -> task.getState() == TaskState.TASK_STATE_ALLOCATED
                            && !task.getAllocationId().isEmpty());
            Allocation allocation = cluster.state().node("n1").orElseThrow().allocations().stream()
                    .findFirst()
                    .orElseThrow();
            assertThat(allocation.getState()).isEqualTo(AllocationState.ALLOCATION_STATE_BOUND);
            assertThat(allocation.getEpoch()).isEqualTo(cluster.state().revision());
            assertThat(cluster.state().node("n1").orElseThrow().free().cores().milli(2))
                    .isEqualTo(500);
            assertThat(cluster.state().pending())
                    .singleElement()
                    .matches(p -> p.uid().equals(second.getUid()));
        }
    }

    @Test
    void oneMissingPlaceRefusesTheWholeGang() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = cluster.submit("train", Commands.gang(3, 2_500, 100).build());
            PlanResult result = commit(cluster, Placer.place(cluster.state(), job.getUid()));
            assertThat(result.getConflictsList())
                    .singleElement()
                    .matches(c -> c.getWhat().equals("task") && c.getMessage().contains("worker/2"));
            assertThat(cluster.state().counts().allocations()).isZero();
            assertThat(cluster.task(job.getUid(), 0).getState()).isEqualTo(TaskState.TASK_STATE_PENDING);
        }
    }

    @Test
    void gangsOfOnePlanAreIndependentAndSeeEachOther() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job a = cluster.submit("a", Commands.gang(1, 4_000, 0).build());
            Job b = cluster.submit("b", Commands.gang(1, 4_000, 0).build());
            PlanResult result = commit(
                    cluster, Placer.place(cluster.state(), a.getUid()), Placer.place(cluster.state(), b.getUid()));
            assertThat(result.getCommittedList())
                    .extracting(CommittedGang::getJobUid)
                    .containsExactly(a.getUid());
            assertThat(result.getConflictsList())
                    .hasSize(4)
                    .allMatch(c -> c.getJobUid().equals(b.getUid())
                            && c.getNode().equals("n1")
                            && c.getHolder().isEmpty());
        }
    }

    @Test
    void aConflictNamesThePresentHolder() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job a = cluster.submit("a", Commands.gang(1, 1_000, 600_000).build());
            Job b = cluster.submit("b", Commands.gang(1, 1_000, 600_000).build());
            GangPlacement stale = Placer.place(cluster.state(), b.getUid());
            cluster.place(a.getUid());
            String holder = cluster.task(a.getUid(), 0).getAllocationId();
            assertThat(commit(cluster, stale).getConflictsList())
                    .extracting(PlanConflict::getWhat, PlanConflict::getHolder)
                    .containsExactly(tuple("core 0", holder));
        }
    }

    @Test
    void aFractionSharesACoreAndAWholeCoreIsOwnedAlone() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job half = cluster.start("half", Commands.gang(1, 500, 0).build());
            assertThat(cluster.task(half.getUid(), 0).getNode()).isEqualTo("n1");
            Job other = cluster.submit("other", Commands.gang(1, 500, 0).build());
            assertThat(commit(cluster, core(cluster, other, 0, 500)).getCommittedCount())
                    .isEqualTo(1);
            Job whole = cluster.submit("whole", Commands.gang(1, 1_000, 0).build());
            assertThat(commit(cluster, core(cluster, whole, 0, 1_000)).getConflictsList())
                    .singleElement()
                    .matches(c -> c.getWhat().equals("core 0"));
        }
    }

    @Test
    void aClaimThatIsNotWhatTheGroupAskedForIsRefused() {
        assertClaimRefused("cores", p -> p.getClaimBuilder().getCoresBuilder(0).setMilli(400));
        assertClaimRefused("cores", p -> p.getClaimBuilder().clearCores());
        assertClaimRefused(
                "cores",
                p -> p.getClaimBuilder()
                        .addCores(CoreShare.newBuilder().setCoreId(0).setMilli(500)));
        assertClaimRefused("memory", p -> p.getClaimBuilder().setMemoryBytes(99));
        assertClaimRefused(
                "nic eth9",
                p -> p.getClaimBuilder()
                        .addNics(NicShare.newBuilder().setNic("eth9").setBitsPerSecond(1)));
        assertClaimRefused(
                "devices",
                p -> p.getClaimBuilder().addDevices(DeviceShare.newBuilder().setMilli(1_000)));
        assertClaimRefused("core 9", p -> p.getClaimBuilder().getCoresBuilder(0).setCoreId(9));
        assertClaimRefused("node", p -> p.setNode("n9"));
        assertClaimRefused("node epoch", p -> p.setNodeEpoch(1));
        assertClaimRefused("task", p -> p.setIndex(1));
    }

    @Test
    void aTaskPlacedTwiceIsRefused() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.submit("train", Commands.gang(1));
            GangPlacement.Builder gang = Placer.place(cluster.state(), job.getUid()).toBuilder();
            gang.addPlacements(gang.getPlacements(0));
            assertThat(commit(cluster, gang.build()).getConflictsList())
                    .singleElement()
                    .matches(c -> c.getMessage().contains("one place for each task"));
        }
    }

    @Test
    void aPlanForAnotherStateOfTheJobIsRefused() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.submit("train", Commands.gang(1));
            GangPlacement good = Placer.place(cluster.state(), job.getUid());
            assertConflict(
                    cluster, "job generation", good.toBuilder().setGeneration(2).build());
            assertConflict(
                    cluster, "job attempt", good.toBuilder().setAttempt(2).build());
            assertConflict(cluster, "job", good.toBuilder().setJobUid("x").build());
            Envelope.Builder foreign = Commands.plan(good).toBuilder();
            foreign.getCommitPlanBuilder().getPlanBuilder().setScheduler("mine");
            assertThat(cluster.run(foreign.build()).getPlan().getConflicts(0).getWhat())
                    .isEqualTo("scheduler");
            commit(cluster, good);
            assertConflict(cluster, "job phase", good);
        }
    }

    @Test
    void aSuspectedNodeTakesNothingNew() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.submit("train", Commands.gang(1));
            GangPlacement gang = Placer.place(cluster.state(), job.getUid());
            cluster.run(Commands.suspect("n1", cluster.epoch("n1")));
            assertConflict(cluster, "node state", gang);
        }
    }

    @Test
    void devicesAreGivenByKindModelAndHealth() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.run(Commands.register(Commands.hello("n1")
                    .setSpec(Commands.nodeSpec()
                            .addDevices(Commands.gpu(0, "old"))
                            .addDevices(Commands.gpu(1, "new"))
                            .addDevices(
                                    Commands.gpu(2, "new").toBuilder().setHealth(DeviceHealth.DEVICE_HEALTH_UNHEALTHY))
                            .addDevices(Commands.gpu(3, "new")))));
            Job job = cluster.submit("train", Commands.accelerated(1, 2, "new"));
            GangPlacement good = Placer.place(cluster.state(), job.getUid());
            assertThat(good.getPlacements(0).getClaim().getDevicesList())
                    .extracting(DeviceShare::getOrdinal)
                    .containsExactly(1, 3);
            assertConflict(cluster, "devices", withDevice(good, 0, 0));
            assertConflict(cluster, "device 2", withDevice(good, 1, 2));
            cluster.place(job.getUid());
            assertThat(cluster.state().node("n1").orElseThrow().free().devices().milli(3))
                    .isZero();
        }
    }

    @Test
    void tooManyPlacementsAreRefusedAsAWhole() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            GangPlacement gang = GangPlacement.newBuilder()
                    .addAllPlacements(
                            Collections.nCopies(Limits.PLACEMENTS_PER_PLAN_MAX + 1, Placement.getDefaultInstance()))
                    .build();
            assertRefused(cluster.run(Commands.plan(gang)), ErrorCode.ERROR_CODE_TOO_LARGE);
        }
    }

    @Test
    void aConflictListThatIsTooLongIsCutWithACount() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.submit("train", Commands.gang(5_000));
            GangPlacement.Builder gang =
                    Placer.place(cluster.state(), job.getUid()).toBuilder().clearPlacements();
            for (int i = 0; i < 5_000; i++) {
                gang.addPlacements(
                        Placement.newBuilder().setGroup("worker").setIndex(i).setNode("nowhere"));
            }
            Envelope request = Commands.request("r1", cluster.timeMillis() + 1_000, Commands.plan(gang.build()));
            PlanResult result = cluster.run(request).getPlan();
            assertThat(result.getSerializedSize()).isLessThan(Limits.OUTCOME_BYTES_MAX);
            PlanConflict last = result.getConflicts(result.getConflictsCount() - 1);
            assertThat(last.getMessage()).startsWith((5_000 - result.getConflictsCount() + 1) + " more conflicts");
            assertThat(cluster.run(request).getPlan()).isEqualTo(result);
        }
    }

    private static GangPlacement core(TestCluster cluster, Job job, int core, int milli) {
        GangPlacement.Builder gang = Placer.place(cluster.state(), job.getUid()).toBuilder();
        gang.getPlacementsBuilder(0)
                .getClaimBuilder()
                .clearCores()
                .addCores(CoreShare.newBuilder().setCoreId(core).setMilli(milli));
        return gang.build();
    }

    private static GangPlacement withDevice(GangPlacement gang, int position, int ordinal) {
        GangPlacement.Builder changed = gang.toBuilder();
        changed.getPlacementsBuilder(0)
                .getClaimBuilder()
                .getDevicesBuilder(position)
                .setOrdinal(ordinal);
        return changed.build();
    }

    private static void assertClaimRefused(String what, Consumer<Placement.Builder> edit) {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.submit("train", Commands.gang(1));
            GangPlacement.Builder gang = Placer.place(cluster.state(), job.getUid()).toBuilder();
            edit.accept(gang.getPlacementsBuilder(0));
            assertConflict(cluster, what, gang.build());
        }
    }

    private static void assertConflict(TestCluster cluster, String what, GangPlacement gang) {
        PlanResult result = commit(cluster, gang);
        assertThat(result.getCommittedList()).isEmpty();
        assertThat(result.getConflicts(0).getWhat()).isEqualTo(what);
        assertThat(result.getConflicts(0).getMessage()).contains("expected: ");
    }

    private static PlanResult commit(TestCluster cluster, GangPlacement... gangs) {
        return cluster.run(Commands.plan(gangs)).getPlan();
    }
}
