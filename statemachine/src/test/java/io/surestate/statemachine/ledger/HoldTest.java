package io.surestate.statemachine.ledger;

import static io.surestate.statemachine.fixture.Plans.commit;
import static io.surestate.statemachine.fixture.Plans.device;
import static io.surestate.statemachine.fixture.Plans.hold;
import static io.surestate.statemachine.fixture.Plans.named;
import static io.surestate.statemachine.fixture.Plans.on;
import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.Limits;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import org.junit.jupiter.api.Test;

class HoldTest {
    private static final long TTL_MILLIS = 30_000;

    private static TestCluster cluster() {
        TestCluster cluster = TestCluster.with();
        cluster.run(Commands.register(Plans.accelerated("n1", 2)));
        return cluster;
    }

    private static Hold held(TestCluster cluster, GangPlacement.Builder... gangs) {
        PlanResult result = cluster.run(hold(TTL_MILLIS, gangs)).getPlan();
        assertThat(result.getConflictsList()).isEmpty();
        return result.getHold();
    }

    private static int free(TestCluster cluster, int device) {
        return cluster.state().node("n1").orElseThrow().free().devices().milli(device);
    }

    @Test
    void aHoldKeepsItsPlacesFromOthersUntilItIsReleased() {
        try (TestCluster cluster = cluster()) {
            Hold hold = held(cluster, named("a", on(cluster, "n1", device(0))));
            assertThat(hold.getExpiresMillis()).isEqualTo(cluster.timeMillis() + TTL_MILLIS);
            assertThat(free(cluster, 0)).isZero();
            assertThat(cluster.run(commit(named("b", on(cluster, "n1", device(0)))))
                            .getPlan()
                            .getConflictsCount())
                    .isEqualTo(1);
            Hold released = cluster.run(Plans.releaseHold(hold.getId())).getHold();
            assertThat(released.getState()).isEqualTo(HoldState.HOLD_STATE_RELEASED);
            assertThat(free(cluster, 0)).isEqualTo(1_000);
            assertThat(cluster.run(Plans.releaseHold(hold.getId())).getHold()).isEqualTo(released);
        }
    }

    @Test
    void confirmingBindsEverythingThatIsHeld() {
        try (TestCluster cluster = cluster()) {
            Job job = cluster.submit(
                    "train",
                    Commands.gang(2, 500, 10).setScheduler(Plans.SCHEDULER).build());
            Hold hold = held(cluster, Plans.gang(cluster, job.getUid()), named("side", on(cluster, "n1", device(1))));
            assertThat(cluster.job(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            assertThat(cluster.state().heldBy(hold.getId())).hasSize(3);
            PlanResult confirmed = cluster.run(Plans.confirm(hold.getId())).getPlan();
            assertThat(confirmed.getHold().getState()).isEqualTo(HoldState.HOLD_STATE_CONFIRMED);
            assertThat(cluster.job(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(cluster.state().node("n1").orElseThrow().allocations())
                    .allMatch(place -> place.getState() == AllocationState.ALLOCATION_STATE_BOUND);
            assertRefused(cluster.run(Plans.confirm(hold.getId())), ErrorCode.ERROR_CODE_HOLD_OVER);
        }
    }

    @Test
    void anExpiredHoldIsRefusedWithTheTimeOfItsEnd() {
        try (TestCluster cluster = cluster()) {
            Hold hold = held(cluster, named("a", on(cluster, "n1", device(0))));
            cluster.advance(TTL_MILLIS);
            Outcome refused = cluster.run(Plans.confirm(hold.getId()));
            assertRefused(refused, ErrorCode.ERROR_CODE_HOLD_OVER);
            assertThat(refused.getRejected().getMessage())
                    .contains("EXPIRED at cluster time " + hold.getExpiresMillis());
            assertThat(free(cluster, 0)).isEqualTo(1_000);
        }
    }

    @Test
    void aTickEndsHoldsJustWhenTheyAreDueAndForgetsThemLater() {
        try (TestCluster cluster = cluster()) {
            Hold hold = held(cluster, named("a", on(cluster, "n1", device(0))));
            cluster.advance(TTL_MILLIS - 1);
            cluster.run(Commands.tick());
            assertThat(free(cluster, 0)).isZero();
            cluster.advance(1);
            cluster.run(Commands.tick());
            assertThat(free(cluster, 0)).isEqualTo(1_000);
            assertThat(cluster.state().hold(hold.getId()).orElseThrow().getEndedMillis())
                    .isEqualTo(hold.getExpiresMillis());
            cluster.advance(Limits.HOLD_REMEMBERED_MILLIS);
            cluster.run(Commands.tick());
            assertThat(cluster.state().hold(hold.getId())).isEmpty();
            assertRefused(cluster.run(Plans.confirm(hold.getId())), ErrorCode.ERROR_CODE_NOT_FOUND);
        }
    }

    @Test
    void aPlanWithConflictsIsNotHeldAtAll() {
        try (TestCluster cluster = cluster()) {
            PlanResult result = cluster.run(hold(
                            TTL_MILLIS,
                            named("a", on(cluster, "n1", device(0))),
                            named("b", on(cluster, "n1", device(0)))))
                    .getPlan();
            assertThat(result.hasHold()).isFalse();
            assertThat(result.getConflictsCount()).isEqualTo(1);
            assertThat(cluster.state().holds()).isEmpty();
            assertThat(cluster.state().counts().allocations()).isZero();
        }
    }

    @Test
    void aHoldThatCannotBeConfirmedGoesOnStanding() {
        try (TestCluster cluster = cluster()) {
            Job job = cluster.submit(
                    "train",
                    Commands.gang(1, 500, 10).setScheduler(Plans.SCHEDULER).build());
            Hold hold = held(cluster, Plans.gang(cluster, job.getUid()));
            cluster.run(Commands.cancel("train"));
            PlanResult result = cluster.run(Plans.confirm(hold.getId())).getPlan();
            assertThat(result.getConflicts(0).getKind()).isEqualTo(ConflictKind.CONFLICT_KIND_NOT_FOUND);
            assertThat(cluster.state().hold(hold.getId()).orElseThrow().getState())
                    .isEqualTo(HoldState.HOLD_STATE_STANDING);
        }
    }

    @Test
    void aHoldOnANodeThatFellSilentIsNotConfirmed() {
        try (TestCluster cluster = cluster()) {
            Hold hold = held(cluster, named("a", on(cluster, "n1", device(0))));
            cluster.run(Commands.suspect("n1", cluster.epoch("n1")));
            PlanResult result = cluster.run(Plans.confirm(hold.getId())).getPlan();
            assertThat(result.getConflicts(0).getKind()).isEqualTo(ConflictKind.CONFLICT_KIND_NODE);
            cluster.run(Commands.clear("n1", cluster.epoch("n1")));
            assertThat(cluster.run(Plans.confirm(hold.getId())).getPlan().getConflictsCount())
                    .isZero();
        }
    }

    @Test
    void timesThatAreNoneAndPlansThatCannotBeHeldAreRefused() {
        try (TestCluster cluster = cluster()) {
            GangPlacement.Builder good = named("a", on(cluster, "n1", device(0)));
            for (long ttl : new long[] {0, -1, 999, Limits.HOLD_TTL_MILLIS_MAX + 1, Long.MAX_VALUE}) {
                assertRefused(cluster.run(hold(ttl, good)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            }
            assertRefused(cluster.run(hold(TTL_MILLIS)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            assertRefused(
                    cluster.run(hold(TTL_MILLIS, good.clone().setNominate(true))),
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            Job job = cluster.submit(
                    "train",
                    Commands.gang(1, 500, 10).setScheduler(Plans.SCHEDULER).build());
            GangPlacement.Builder gang = Plans.gang(cluster, job.getUid());
            assertRefused(cluster.run(hold(TTL_MILLIS, gang, gang)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
        }
    }

    @Test
    void heldNamesAreReleasedByTheirHoldOnly() {
        try (TestCluster cluster = cluster()) {
            held(cluster, named("a", on(cluster, "n1", device(0))));
            assertRefused(cluster.run(Plans.release("a")), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            GangPlacement.Builder eviction = GangPlacement.newBuilder()
                    .addEvictions(Plans.evict(
                            cluster.state().named(Commands.TENANT, "a").get(0)));
            assertThat(cluster.run(commit(eviction)).getPlan().getConflicts(0).getKind())
                    .isEqualTo(ConflictKind.CONFLICT_KIND_TAKEN);
        }
    }
}
