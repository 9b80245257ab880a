package io.surestate.statemachine.node;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.Cordon;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import io.surestate.log.v1.CordonNode;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Placer;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import io.surestate.statemachine.ledger.Cordons;
import java.util.List;
import org.junit.jupiter.api.Test;

class CordonTest {
    private static Cordon cordon(TestCluster cluster, String node) {
        return cluster.state().node(node).orElseThrow().node().getStatus().getCordon();
    }

    private static List<Allocation> places(TestCluster cluster, String node) {
        return List.copyOf(cluster.state().node(node).orElseThrow().allocations());
    }

    private static JobStatus status(TestCluster cluster, Job job) {
        return cluster.job(job.getUid()).getStatus();
    }

    /** Two tasks that fill a node each. */
    private static JobSpec wide() {
        return Commands.gang(2, 4_000, 100)
                .setCheckpoint(Commands.checkpointed(1).getCheckpoint())
                .build();
    }

    private static Outcome move(TestCluster cluster, Job job, String from) {
        List<Allocation> leaves = places(cluster, from).stream()
                .filter(place -> place.getTask().getJobUid().equals(job.getUid()))
                .toList();
        return cluster.run(Commands.plan(Placer.move(cluster.state(), job.getUid(), leaves)));
    }

    private static Outcome leave(TestCluster cluster, Job job, String from) {
        return cluster.run(Commands.plan(Placer.leave(cluster.state(), job.getUid(), places(cluster, from))));
    }

    @Test
    void nothingNewIsPlacedOnACordonedNodeAndWhatRunsThereRunsOn() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job runs = cluster.start("runs", Commands.gang(1));
            Job waits = cluster.submit("waits", Commands.gang(1));
            var plan = Commands.plan(Placer.place(cluster.state(), waits.getUid()));
            cluster.run(Commands.cordon("n1", "fan noise"));
            assertThat(cordon(cluster, "n1"))
                    .isEqualTo(Cordon.newBuilder()
                            .setPrincipal("ann")
                            .setReason("fan noise")
                            .setSinceMillis(cluster.timeMillis())
                            .build());
            assertThat(cluster.run(plan).getPlan().getConflictsList())
                    .singleElement()
                    .satisfies(conflict -> {
                        assertThat(conflict.getKind()).isEqualTo(ConflictKind.CONFLICT_KIND_CORDONED);
                        assertThat(conflict.getMessage()).contains("fan noise").contains("expected: ");
                    });
            assertThat(Cordons.words(cluster.state())).isEqualTo("1 node cordoned (fan noise)");
            assertThat(status(cluster, runs).getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            cluster.run(Commands.uncordon("n1", false));
            assertThat(cluster.run(plan).getPlan().getCommittedCount()).isOne();
            assertThat(Cordons.words(cluster.state())).isEmpty();
        }
    }

    @Test
    void theOperatorsWordStandsOverRestartsLossesAndFences() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            cluster.run(Commands.drain("n1", 0));
            Cordon word = cordon(cluster, "n1");
            cluster.run(Commands.register("n1"));
            assertThat(cordon(cluster, "n1")).isEqualTo(word);
            cluster.loseNode("n1");
            assertThat(cordon(cluster, "n1")).isEqualTo(word);
            cluster.run(Commands.register(Commands.hello("n1").setBootId("boot-2")));
            assertThat(cordon(cluster, "n1")).isEqualTo(word);
            assertThat(cluster.state().node("n1").orElseThrow().schedulable()).isFalse();
        }
    }

    @Test
    void whatCannotBeCordonedIsRefused() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            assertRefused(cluster.run(Commands.cordon("n9", "")), ErrorCode.ERROR_CODE_NOT_FOUND);
            assertRefused(cluster.run(Commands.uncordon("n9", false)), ErrorCode.ERROR_CODE_NOT_FOUND);
            CordonNode.Builder late = CordonNode.newBuilder().setNode("n1").setExpectedEpoch(1);
            assertRefused(cluster.run(Commands.cordon(late)), ErrorCode.ERROR_CODE_STALE_EPOCH);
            CordonNode.Builder odd = CordonNode.newBuilder().setNode("n1").setDeadlineAfterMillis(5_000);
            assertRefused(cluster.run(Commands.cordon(odd)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            assertRefused(
                    cluster.run(Commands.cordon(odd.setDrain(true).setDeadlineAfterMillis(Long.MAX_VALUE))),
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            cluster.run(Commands.cordon("n1", ""));
            assertRefused(cluster.run(Commands.uncordon("n1", true)), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            cluster.run(Commands.drain("n1", 0));
            assertRefused(cluster.run(Commands.uncordon("n1", false)), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            cluster.run(Commands.cordon("n1", "less"));
            assertThat(cordon(cluster, "n1").getDrain()).isTrue();
            cluster.run(Commands.uncordon("n1", true));
            assertThat(cluster.run(Commands.uncordon("n1", true)).hasNode()).isTrue();
        }
    }

    @Test
    void aGangMovesWholeToPlacesThatNobodyCanTakeInBetween() {
        try (TestCluster cluster = TestCluster.with("n1", "n2", "n3")) {
            Job job = cluster.start("train", wide());
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING);
            cluster.run(Commands.drain("n1", 0));
            Job thief = cluster.submit("thief", Commands.gang(1, 1_000, 0).build());
            var stolen = Commands.plan(Placer.place(cluster.state(), thief.getUid()));
            assertThat(move(cluster, job, "n1").getPlan().getConflictsList()).isEmpty();
            assertThat(status(cluster, job).getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
            assertThat(status(cluster, job).getPlannedStop()).isTrue();
            assertThat(cluster.run(stolen).getPlan().getConflicts(0).getKind())
                    .isEqualTo(ConflictKind.CONFLICT_KIND_TAKEN);
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_CANCELLED, report -> report.setCheckpointStep(40));
            JobStatus after = status(cluster, job);
            assertThat(after.getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(after.getCheckpoint().getStep()).isEqualTo(40);
            assertThat(after.getMoves()).isOne();
            assertThat(after.getFailures() + after.getNodeLosses() + after.getPreemptions())
                    .isZero();
            assertThat(after.getPlannedStop()).isFalse();
            assertThat(cluster.tasks(job.getUid())).extracting(Task::getNode).containsExactlyInAnyOrder("n2", "n3");
            assertThat(places(cluster, "n1")).isEmpty();
            assertThat(cluster.events(job.getUid()))
                    .extracting(JobEvent::getKind)
                    .contains(JobEventKind.JOB_EVENT_KIND_MOVED);
        }
    }

    @Test
    void aNodeThatIsLostWhileItIsLeftTakesNothingOfWhatWasPromised() {
        try (TestCluster cluster = TestCluster.with("n1", "n2", "n3")) {
            Job job = cluster.start("train", wide());
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING);
            cluster.run(Commands.drain("n1", 0));
            assertThat(move(cluster, job, "n1").getPlan().getConflictsList()).isEmpty();
            Task stays = cluster.tasks(job.getUid()).stream()
                    .filter(task -> task.getNode().equals("n2"))
                    .findFirst()
                    .orElseThrow();
            cluster.report(stays, TaskState.TASK_STATE_CANCELLED);
            cluster.loseNode("n1");
            assertThat(status(cluster, job).getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(cluster.tasks(job.getUid())).extracting(Task::getNode).containsExactlyInAnyOrder("n2", "n3");
        }
    }

    @Test
    void aGangThatHasNoOtherPlaceRunsOn() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = cluster.start("train", wide());
            cluster.run(Commands.drain("n1", 0));
            assertThat(leave(cluster, job, "n1").getPlan().getConflictsCount()).isOne();
            assertThat(move(cluster, job, "n1").getPlan().getConflictsCount()).isPositive();
            cluster.run(Commands.tick());
            assertThat(status(cluster, job).getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(status(cluster, job).getMoves()).isZero();
        }
    }

    @Test
    void atTheDeadlineEverythingIsStoppedAndWaitsUntilThereIsRoomAgain() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", Commands.checkpointed(1));
            cluster.run(Plans.commit(Plans.named("mine", Plans.on(cluster, "n1", Plans.core(3, 1_000)))));
            cluster.run(Commands.drain("n1", 10_000));
            cluster.advance(9_000);
            cluster.run(Commands.tick());
            assertThat(status(cluster, job).getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            cluster.advance(1_000);
            cluster.run(Commands.tick());
            assertThat(status(cluster, job).getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
            assertThat(places(cluster, "n1"))
                    .hasSize(2)
                    .allMatch(place -> place.getState() == AllocationState.ALLOCATION_STATE_RELEASING);
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_CANCELLED);
            assertThat(status(cluster, job).getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            cluster.run(Commands.uncordon("n1", true));
            cluster.place(job.getUid());
            assertThat(status(cluster, job).getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(status(cluster, job).getAttempt()).isEqualTo(2);
            assertThat(status(cluster, job).getFailures()).isZero();
        }
    }

    @Test
    void aTaskThatItsGangCanDoWithoutOnlyLeaves() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            JobSpec.Builder spec = wide().toBuilder();
            spec.getGroupsBuilder(0).setMinCount(1);
            Job job = cluster.start("train", spec.build());
            cluster.run(Commands.drain("n1", 0));
            assertThat(leave(cluster, job, "n1").getPlan().getConflictsList()).isEmpty();
            assertThat(status(cluster, job).getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            Task leaving = cluster.tasks(job.getUid()).stream()
                    .filter(task -> task.getNode().equals("n1"))
                    .findFirst()
                    .orElseThrow();
            assertThat(leaving.getLeaving()).isTrue();
            cluster.report(leaving, TaskState.TASK_STATE_CANCELLED);
            assertThat(places(cluster, "n1")).isEmpty();
            assertThat(status(cluster, job).getMoves()).isZero();
        }
    }

    @Test
    void aSparePlaceIsTakenWhereThereIsOneAndNoneIsKeptOnADrainedNode() {
        try (TestCluster cluster = TestCluster.with("n1", "n2", "n3")) {
            JobSpec.Builder spec = wide().toBuilder();
            spec.getGroupsBuilder(0).setSpares(1);
            Job job = cluster.start("train", spec.build());
            assertThat(cluster.state().sparesOf(job.getUid()))
                    .extracting(Allocation::getNode)
                    .containsExactly("n3");
            cluster.run(Commands.drain("n2", 0));
            assertThat(leave(cluster, job, "n2").getPlan().getConflictsList()).isEmpty();
            cluster.reportAll(job.getUid(), TaskState.TASK_STATE_CANCELLED);
            assertThat(status(cluster, job).getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(cluster.tasks(job.getUid())).extracting(Task::getNode).containsExactly("n1", "n3");
            cluster.run(Commands.uncordon("n2", true));
            cluster.run(Commands.plan(Placer.place(cluster.state(), job.getUid())));
            assertThat(cluster.state().sparesOf(job.getUid())).hasSize(1);
            cluster.run(Commands.drain("n2", 0));
            assertThat(cluster.state().sparesOf(job.getUid())).isEmpty();
        }
    }
}
