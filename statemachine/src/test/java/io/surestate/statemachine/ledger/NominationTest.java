package io.surestate.statemachine.ledger;

import static io.surestate.statemachine.fixture.Plans.commit;
import static io.surestate.statemachine.fixture.Plans.device;
import static io.surestate.statemachine.fixture.Plans.named;
import static io.surestate.statemachine.fixture.Plans.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class NominationTest {
    private static final String SILENT = "n1";

    /** Two jobs for one node, of which one runs on all of it. */
    private static final class Preemption implements AutoCloseable {
        private final TestCluster cluster = TestCluster.with(SILENT);
        private final Job victim =
                cluster.start("victim", Commands.gang(4, 1_000, 100).build());
        private final Job urgent = cluster.submit(
                "urgent",
                Commands.gang(2, 1_000, 100).setScheduler(Plans.SCHEDULER).build());

        /** The gang on the victim's first two cores. */
        private GangPlacement.Builder gang() {
            GangPlacement.Builder gang = GangPlacement.newBuilder()
                    .setJobUid(urgent.getUid())
                    .setGeneration(1)
                    .setAttempt(1)
                    .setNominate(true);
            for (int i = 0; i < 2; i++) {
                gang.addPlacements(on(cluster, SILENT, Plans.core(i, 1_000)).toBuilder()
                        .setGroup("worker")
                        .setIndex(i)
                        .setClaim(Plans.core(i, 1_000).toBuilder().setMemoryBytes(100)));
            }
            return gang;
        }

        private List<Allocation> places() {
            return List.copyOf(cluster.state().node(SILENT).orElseThrow().allocations());
        }

        private void evictAndNominate() {
            Allocation first = places().get(0);
            var result =
                    cluster.run(commit(gang().addEvictions(Plans.evict(first)))).getPlan();
            assertThat(result.getConflictsList()).isEmpty();
            assertThat(result.getCommitted(0).getState()).isEqualTo(AllocationState.ALLOCATION_STATE_NOMINATED);
        }

        private JobPhase phase(Job job) {
            return cluster.job(job.getUid()).getStatus().getPhase();
        }

        @Override
        public void close() {
            cluster.close();
        }
    }

    @Test
    void anEvictedGangIsStoppedWholeAndGoesOnCounting() {
        try (Preemption p = new Preemption()) {
            p.evictAndNominate();
            assertThat(p.phase(p.victim)).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
            assertThat(p.cluster.job(p.victim.getUid()).getStatus().getPreemptions())
                    .isEqualTo(1);
            assertThat(p.cluster.job(p.victim.getUid()).getStatus().getFailures())
                    .isZero();
            assertThat(p.places())
                    .filteredOn(place -> place.getState() == AllocationState.ALLOCATION_STATE_RELEASING)
                    .hasSize(4);
            assertThat(p.phase(p.urgent)).isEqualTo(JobPhase.JOB_PHASE_NOMINATED);
            assertThat(p.cluster
                            .state()
                            .node(SILENT)
                            .orElseThrow()
                            .free()
                            .cores()
                            .totalMilli())
                    .isZero();
        }
    }

    @Test
    void aNominationIsBoundInTheEntryThatFreesTheLastOfItsPlaces() {
        try (Preemption p = new Preemption()) {
            p.evictAndNominate();
            p.cluster.report(p.cluster.task(p.victim.getUid(), 0), TaskState.TASK_STATE_CANCELLED);
            assertThat(p.phase(p.urgent)).isEqualTo(JobPhase.JOB_PHASE_NOMINATED);
            p.cluster.report(p.cluster.task(p.victim.getUid(), 1), TaskState.TASK_STATE_CANCELLED);
            assertThat(p.phase(p.urgent)).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(p.cluster.task(p.urgent.getUid(), 1).getState()).isEqualTo(TaskState.TASK_STATE_ALLOCATED);
        }
    }

    @Test
    void nobodyStealsWhatIsNominated() {
        try (Preemption p = new Preemption()) {
            p.evictAndNominate();
            p.cluster.reportAll(p.victim.getUid(), TaskState.TASK_STATE_CANCELLED);
            assertThat(p.cluster
                            .state()
                            .node(SILENT)
                            .orElseThrow()
                            .free()
                            .cores()
                            .totalMilli())
                    .isEqualTo(2_000);
            assertThat(p.phase(p.victim)).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            assertThat(Plans.gang(p.cluster, p.victim.getUid()).getPlacementsCount())
                    .isEqualTo(2);
        }
    }

    @Test
    void aCancelledJobGivesItsNominationsBack() {
        try (Preemption p = new Preemption()) {
            p.evictAndNominate();
            p.cluster.run(Commands.cancel("urgent"));
            assertThat(p.cluster.finished(p.urgent.getUid()).getStatus().getPhase())
                    .isEqualTo(JobPhase.JOB_PHASE_CANCELLED);
            assertThat(p.places()).hasSize(4);
        }
    }

    @Test
    void aNominationIsWithdrawnWhereItsNodeFallsSilent() {
        try (Preemption p = new Preemption()) {
            p.evictAndNominate();
            p.cluster.run(Commands.suspect(SILENT, p.cluster.epoch(SILENT)));
            assertThat(p.phase(p.urgent)).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            assertThat(p.places()).hasSize(4);
        }
    }

    @Test
    void aNominationCanBeEvicted() {
        try (Preemption p = new Preemption()) {
            p.evictAndNominate();
            Allocation nomination =
                    p.cluster.state().nominatedFor(p.urgent.getUid()).get(0);
            p.cluster.run(commit(GangPlacement.newBuilder().addEvictions(Plans.evict(nomination))));
            assertThat(p.phase(p.urgent)).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            assertThat(p.cluster.state().nominatedFor(p.urgent.getUid())).isEmpty();
        }
    }

    @Test
    void whatIsFreeIsBoundAtOnceEvenIfNominationIsAllowed() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.run(Commands.register(Plans.accelerated("n1", 1)));
            var result = cluster.run(
                            commit(named("a", on(cluster, "n1", device(0))).setNominate(true)))
                    .getPlan();
            assertThat(result.getCommitted(0).getState()).isEqualTo(AllocationState.ALLOCATION_STATE_BOUND);
        }
    }

    @Test
    void anEvictedNameCountsUntilItsOwnerLetsGo() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.run(Commands.register(Plans.accelerated("n1", 1)));
            cluster.run(commit(named("old", on(cluster, "n1", device(0)))));
            Allocation old = cluster.state().named(Commands.TENANT, "old").get(0);
            cluster.run(commit(
                    named("new", on(cluster, "n1", device(0))).setNominate(true).addEvictions(Plans.evict(old))));
            assertThat(state(cluster, "old")).isEqualTo(AllocationState.ALLOCATION_STATE_RELEASING);
            assertThat(state(cluster, "new")).isEqualTo(AllocationState.ALLOCATION_STATE_NOMINATED);
            cluster.run(Plans.release("old"));
            assertThat(state(cluster, "new")).isEqualTo(AllocationState.ALLOCATION_STATE_BOUND);
        }
    }

    private static AllocationState state(TestCluster cluster, String name) {
        return cluster.state().named(Commands.TENANT, name).get(0).getState();
    }
}
