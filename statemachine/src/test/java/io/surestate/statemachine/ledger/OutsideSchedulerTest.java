package io.surestate.statemachine.ledger;

import static io.surestate.statemachine.fixture.Plans.commit;
import static io.surestate.statemachine.fixture.Plans.core;
import static io.surestate.statemachine.fixture.Plans.device;
import static io.surestate.statemachine.fixture.Plans.named;
import static io.surestate.statemachine.fixture.Plans.on;
import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationRef;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.LinkShare;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutsideSchedulerTest {
    private static TestCluster cluster(int gpus) {
        TestCluster cluster = TestCluster.with();
        cluster.run(Commands.register(Plans.accelerated("n1", gpus)));
        return cluster;
    }

    private static Job foreignJob(TestCluster cluster, String name, int tasks) {
        return cluster.submit(
                name,
                Commands.gang(tasks, 1_000, 100).setScheduler(Plans.SCHEDULER).build());
    }

    private static PlanConflict conflict(Outcome outcome) {
        assertThat(outcome.getPlan().getConflictsList()).hasSize(1);
        return outcome.getPlan().getConflicts(0);
    }

    @Test
    void aNamedAllocationIsBoundAndReleasedByItsName() {
        try (TestCluster cluster = cluster(2)) {
            PlanResult result = cluster.run(commit(named("mine-1", on(cluster, "n1", device(1)))))
                    .getPlan();
            assertThat(result.getCommitted(0).getState()).isEqualTo(AllocationState.ALLOCATION_STATE_BOUND);
            Allocation held = cluster.state().named(Commands.TENANT, "mine-1").get(0);
            assertThat(held.getEpoch()).isEqualTo(result.getRevision());
            assertThat(held.getScheduler()).isEqualTo(Plans.SCHEDULER);
            assertThat(cluster.state().node("n1").orElseThrow().free().devices().milli(1))
                    .isZero();
            assertThat(cluster.run(Plans.release("mine-1")).getReleased().getCount())
                    .isEqualTo(1);
            assertThat(cluster.run(Plans.release("mine-1")).getReleased().getCount())
                    .isZero();
            assertThat(cluster.state().node("n1").orElseThrow().free().devices().milli(1))
                    .isEqualTo(1_000);
        }
    }

    @Test
    void allOrNothingCommitsNothingWhereOneGangCannotBe() {
        try (TestCluster cluster = cluster(1)) {
            Outcome outcome = cluster.run(
                    commit(named("a", on(cluster, "n1", device(0))), named("b", on(cluster, "n1", device(0)))));
            PlanConflict conflict = conflict(outcome);
            assertThat(conflict.getGang()).isEqualTo(1);
            assertThat(conflict.getPlacement()).isZero();
            assertThat(conflict.getKind()).isEqualTo(ConflictKind.CONFLICT_KIND_TAKEN);
            assertThat(outcome.getPlan().getCommittedCount()).isZero();
            assertThat(cluster.state().counts().allocations()).isZero();
        }
    }

    @Test
    void perGroupCommitsWhatCanBe() {
        try (TestCluster cluster = cluster(1)) {
            Outcome outcome = cluster.run(commit(Plans.plan(
                    PlanMode.PLAN_MODE_PER_GROUP,
                    named("a", on(cluster, "n1", device(0))),
                    named("b", on(cluster, "n1", device(0))))));
            assertThat(outcome.getPlan().getCommitted(0).getName()).isEqualTo("a");
            assertThat(conflict(outcome).getGang()).isEqualTo(1);
            assertThat(cluster.state().counts().allocations()).isEqualTo(1);
        }
    }

    @Test
    void aConflictTellsWhoHoldsWhatSinceWhen() {
        try (TestCluster cluster = cluster(1)) {
            cluster.run(commit(named("a", on(cluster, "n1", device(0, 700)))));
            Allocation holder = cluster.state().named(Commands.TENANT, "a").get(0);
            PlanConflict conflict = conflict(cluster.run(commit(named("b", on(cluster, "n1", device(0, 400))))));
            assertThat(conflict.getNode()).isEqualTo("n1");
            assertThat(conflict.getWhat()).isEqualTo("device 0");
            assertThat(conflict.getAsked()).isEqualTo(400);
            assertThat(conflict.getFree()).isEqualTo(300);
            assertThat(conflict.getHolder()).isEqualTo(holder.getId());
            assertThat(conflict.getSinceRevision()).isEqualTo(holder.getEpoch());
            assertThat(conflict.getMessage()).contains("expected: at most 300").contains("a of tenant default");
        }
    }

    @Test
    void onlyTheSchedulerThatAJobNamesPlacesIt() {
        try (TestCluster cluster = cluster(0)) {
            Job foreign = foreignJob(cluster, "foreign", 2);
            GangPlacement.Builder gang = Plans.gang(cluster, foreign.getUid());
            assertThat(conflict(cluster.run(Commands.plan(gang.build()))).getKind())
                    .isEqualTo(ConflictKind.CONFLICT_KIND_SCHEDULER);
            cluster.run(commit(gang));
            assertThat(cluster.job(foreign.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        }
    }

    @Test
    void twoSchedulersThatRaceForOneGangEndWithOneWholeGang() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = foreignJob(cluster, "raced", 4);
            GangPlacement.Builder one = Plans.gang(cluster, job.getUid());
            GangPlacement.Builder other = one.clone();
            for (Placement.Builder placement : other.getPlacementsBuilderList()) {
                placement.setNode("n2").setNodeEpoch(cluster.epoch("n2"));
            }
            cluster.run(commit(one));
            assertThat(conflict(cluster.run(commit(other))).getKind()).isEqualTo(ConflictKind.CONFLICT_KIND_JOB);
            assertThat(cluster.state().node("n2").orElseThrow().allocations()).isEmpty();
            assertThat(cluster.state().node("n1").orElseThrow().allocations()).hasSize(4);
        }
    }

    @Test
    void whatBelongsToAnotherTenantIsRefused() {
        try (TestCluster cluster = cluster(1)) {
            Job job = foreignJob(cluster, "theirs", 1);
            Envelope stranger = commit(Plans.gang(cluster, job.getUid())).toBuilder()
                    .setTenant("strangers")
                    .build();
            assertThat(conflict(cluster.run(stranger)).getKind()).isEqualTo(ConflictKind.CONFLICT_KIND_TENANT);
            cluster.run(commit(named("a", on(cluster, "n1", device(0)))));
            Allocation held = cluster.state().named(Commands.TENANT, "a").get(0);
            GangPlacement.Builder eviction = GangPlacement.newBuilder().addEvictions(Plans.evict(held));
            assertThat(conflict(cluster.run(commit(eviction).toBuilder()
                                    .setTenant("strangers")
                                    .build()))
                            .getKind())
                    .isEqualTo(ConflictKind.CONFLICT_KIND_TENANT);
            assertRefused(
                    cluster.run(Plans.release(Plans.ref(held)).toBuilder()
                            .setTenant("strangers")
                            .build()),
                    ErrorCode.ERROR_CODE_PERMISSION_DENIED);
        }
    }

    @Test
    void aNameIsItsTenantsAloneWhileAnAllocationHasIt() {
        try (TestCluster cluster = cluster(3)) {
            cluster.run(commit(named("a", on(cluster, "n1", device(0)))));
            Envelope again = commit(named("a", on(cluster, "n1", device(1))));
            assertThat(conflict(cluster.run(again)).getKind()).isEqualTo(ConflictKind.CONFLICT_KIND_NAME);
            assertThat(cluster.run(again.toBuilder().setTenant("others").build())
                            .getPlan()
                            .getConflictsList())
                    .isEmpty();
            cluster.run(Plans.release("a"));
            Envelope later = commit(named("a", on(cluster, "n1", device(2))));
            assertThat(cluster.run(later).getPlan().getConflictsList()).isEmpty();
        }
    }

    @Test
    void claimsThatAreNoneAreNamed() {
        try (TestCluster cluster = cluster(1)) {
            assertClaimRefused(cluster, Claim.getDefaultInstance(), "claim");
            assertClaimRefused(cluster, core(0, 0), "core 0");
            assertClaimRefused(cluster, core(0, 1_001), "core 0");
            assertClaimRefused(cluster, core(99, 1), "core 99");
            assertClaimRefused(cluster, device(0, -1), "device 0");
            assertClaimRefused(cluster, device(7), "device 7");
            assertClaimRefused(cluster, Claim.newBuilder().setMemoryBytes(-1).build(), "memory");
            CoreShare share = CoreShare.newBuilder().setCoreId(1).setMilli(500).build();
            assertClaimRefused(
                    cluster, Claim.newBuilder().addCores(share).addCores(share).build(), "cores");
            assertClaimRefused(
                    cluster,
                    Claim.newBuilder()
                            .addNics(NicShare.newBuilder().setNic("eth0").setBitsPerSecond(1))
                            .build(),
                    "nic eth0");
            assertThat(cluster.state().counts().allocations()).isZero();
        }
    }

    private static void assertClaimRefused(TestCluster cluster, Claim claim, String what) {
        PlanConflict conflict = conflict(cluster.run(commit(named("a", on(cluster, "n1", claim)))));
        assertThat(conflict.getKind()).isEqualTo(ConflictKind.CONFLICT_KIND_CLAIM);
        assertThat(conflict.getWhat()).isEqualTo(what);
        assertThat(conflict.getMessage()).contains("expected: ");
    }

    @Test
    void linksAreCountedLikeEverythingElse() {
        try (TestCluster cluster = TestCluster.with()) {
            var hello = Plans.accelerated("n1", 2);
            hello.getSpecBuilder().addNicsBuilder().setName("eth0").setBitsPerSecond(100);
            hello.getSpecBuilder()
                    .addLinksBuilder()
                    .setFromOrdinal(1)
                    .setToOrdinal(0)
                    .setBitsPerSecond(50);
            cluster.run(Commands.register(hello));
            Claim claim = Claim.newBuilder()
                    .addNics(NicShare.newBuilder().setNic("eth0").setBitsPerSecond(60))
                    .addLinks(LinkShare.newBuilder()
                            .setFromOrdinal(0)
                            .setToOrdinal(1)
                            .setBitsPerSecond(30))
                    .build();
            cluster.run(commit(named("a", on(cluster, "n1", claim))));
            PlanConflict conflict = conflict(cluster.run(commit(named("b", on(cluster, "n1", claim)))));
            assertThat(conflict.getWhat()).isEqualTo("link 0-1");
            assertThat(conflict.getFree()).isEqualTo(20);
            cluster.run(Plans.release("a"));
            assertThat(cluster.run(commit(named("b", on(cluster, "n1", claim))))
                            .getPlan()
                            .getCommittedCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void theWrongEpochOrAnUnknownNodeIsAConflict() {
        try (TestCluster cluster = cluster(1)) {
            Placement good = on(cluster, "n1", device(0));
            Placement stale = good.toBuilder().setNodeEpoch(1).build();
            assertThat(conflict(cluster.run(commit(named("a", stale)))).getKind())
                    .isEqualTo(ConflictKind.CONFLICT_KIND_NODE);
            Placement nowhere = good.toBuilder().setNode("n9").build();
            assertThat(conflict(cluster.run(commit(named("a", nowhere)))).getKind())
                    .isEqualTo(ConflictKind.CONFLICT_KIND_NOT_FOUND);
        }
    }

    @Test
    void oneConflictForEachRefusedPlacement() {
        try (TestCluster cluster = cluster(2)) {
            cluster.run(commit(named("a", on(cluster, "n1", device(0)), on(cluster, "n1", device(1)))));
            List<PlanConflict> conflicts = cluster.run(commit(named(
                            "b",
                            on(cluster, "n1", device(0)),
                            on(cluster, "n1", core(0, 500)),
                            on(cluster, "n1", device(1)))))
                    .getPlan()
                    .getConflictsList();
            assertThat(conflicts).extracting(PlanConflict::getPlacement).containsExactly(0, 2);
        }
    }

    @Test
    void aPlanThatSawTheFutureOrIsTooLargeIsRefused() {
        try (TestCluster cluster = cluster(1)) {
            assertRefused(
                    cluster.run(commit(
                            Plans.plan(PlanMode.PLAN_MODE_PER_GROUP, named("a", on(cluster, "n1", device(0))))
                                    .toBuilder()
                                    .setSeenRevision(99)
                                    .build())),
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            GangPlacement.Builder large = named("a");
            for (int i = 0; i <= 10_000; i++) {
                large.addPlacements(on(cluster, "n1", device(0)));
            }
            assertRefused(cluster.run(commit(large)), ErrorCode.ERROR_CODE_TOO_LARGE);
        }
    }

    @Test
    void aStaleEpochReleasesNothing() {
        try (TestCluster cluster = cluster(2)) {
            cluster.run(commit(named("a", on(cluster, "n1", device(0)), on(cluster, "n1", device(1)))));
            List<Allocation> held = cluster.state().named(Commands.TENANT, "a");
            AllocationRef good = Plans.ref(held.get(0));
            AllocationRef stale = Plans.ref(held.get(1)).toBuilder().setEpoch(1).build();
            assertRefused(cluster.run(Plans.release(good, stale)), ErrorCode.ERROR_CODE_STALE_EPOCH);
            assertThat(cluster.state().counts().allocations()).isEqualTo(2);
        }
    }

    @Test
    void aTasksPlaceIsNotReleasedByHand() {
        try (TestCluster cluster = cluster(0)) {
            Job job = cluster.start("train", Commands.gang(1));
            Allocation place = cluster.state()
                    .node("n1")
                    .orElseThrow()
                    .allocations()
                    .iterator()
                    .next();
            assertRefused(cluster.run(Plans.release(Plans.ref(place))), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            assertThat(cluster.job(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
        }
    }
}
