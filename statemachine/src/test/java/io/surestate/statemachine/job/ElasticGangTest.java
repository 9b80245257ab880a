package io.surestate.statemachine.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Placer;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import io.surestate.statemachine.state.PendingJob;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElasticGangTest {
    /** Runs with its first tasks, as many as there is room for on what is placed. */
    private static Job startWith(TestCluster cluster, int tasks, int min, int count) {
        Job job = cluster.submit("train", Commands.elastic(min, count));
        GangPlacement all = Placer.place(cluster.state(), job.getUid());
        GangPlacement some = all.toBuilder()
                .clearPlacements()
                .addAllPlacements(all.getPlacementsList().subList(0, tasks))
                .build();
        assertThat(cluster.run(Commands.plan(some)).getPlan().getConflictsList())
                .isEmpty();
        return cluster.job(job.getUid());
    }

    private static void run(TestCluster cluster, String uid) {
        for (Task task : placed(cluster, uid)) {
            cluster.report(task, TaskState.TASK_STATE_RUNNING);
        }
    }

    private static List<Task> placed(TestCluster cluster, String uid) {
        return cluster.tasks(uid).stream()
                .filter(task -> !task.getNode().isEmpty())
                .toList();
    }

    private static List<JobEventKind> kinds(TestCluster cluster, String uid) {
        return cluster.events(uid).stream().map(JobEvent::getKind).toList();
    }

    @Test
    void startsWithFewerTasksThanWantedAndAsksForTheRest() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = startWith(cluster, 3, 2, 6);
            assertThat(job.getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(placed(cluster, job.getUid())).hasSize(3);
            assertThat(cluster.state().growing()).extracting(PendingJob::uid).containsExactly(job.getUid());
            run(cluster, job.getUid());
            assertThat(cluster.job(job.getUid()).getStatus().getStartedMillis()).isPositive();
        }
    }

    @Test
    void isNeverAdmittedBelowItsMinimum() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.submit("train", Commands.elastic(3, 6));
            GangPlacement all = Placer.place(cluster.state(), job.getUid());
            GangPlacement two = all.toBuilder()
                    .clearPlacements()
                    .addAllPlacements(all.getPlacementsList().subList(0, 2))
                    .build();
            assertThat(cluster.run(Commands.plan(two)).getPlan().getConflictsList())
                    .singleElement()
                    .matches(conflict -> conflict.getMessage().contains("worker/2")
                            && conflict.getMessage().contains("at least the first 3"));
            GangPlacement gap = all.toBuilder().removePlacements(1).build();
            assertThat(cluster.run(Commands.plan(gap)).getPlan().getConflictsList())
                    .singleElement()
                    .matches(conflict -> conflict.getMessage().contains("worker/1"));
            assertThat(cluster.job(job.getUid()).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
        }
    }

    @Test
    void growsWhileItRunsAndOnlyByAPlanThatKnewItsGeneration() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = startWith(cluster, 2, 2, 4);
            String uid = job.getUid();
            run(cluster, uid);
            GangPlacement more = Placer.place(cluster.state(), uid);
            assertThat(cluster.run(Commands.plan(more)).getPlan().getConflictsList())
                    .isEmpty();
            Job grown = cluster.job(uid);
            assertThat(placed(cluster, uid)).hasSize(4);
            assertThat(grown.getGeneration()).isEqualTo(job.getGeneration() + 1);
            assertThat(grown.getStatus().getAttempt()).isEqualTo(1);
            assertThat(cluster.state().growing()).isEmpty();
            assertThat(kinds(cluster, uid)).endsWith(JobEventKind.JOB_EVENT_KIND_GREW);
            assertThat(cluster.run(Commands.plan(more)).getPlan().getConflictsList())
                    .extracting(PlanConflict::getKind)
                    .containsExactly(ConflictKind.CONFLICT_KIND_JOB);
        }
    }

    @Test
    void aTaskThatHasItsPlaceIsNotPlacedAgain() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = startWith(cluster, 2, 2, 4);
            GangPlacement again = Placer.place(cluster.state(), job.getUid());
            GangPlacement first = again.toBuilder()
                    .clearPlacements()
                    .addPlacements(again.getPlacements(0).toBuilder().setIndex(1))
                    .build();
            assertThat(cluster.run(Commands.plan(first)).getPlan().getConflictsList())
                    .singleElement()
                    .matches(conflict -> conflict.getMessage().contains("no place yet"));
        }
    }

    @Test
    void aHoldOnPlacesThatTheGangGotMeanwhileIsNotConfirmed() {
        try (TestCluster cluster = TestCluster.with("n1", "n2", "n3")) {
            Job job = cluster.submit(
                    "train",
                    Commands.elastic(1, 2).toBuilder()
                            .setScheduler(Plans.SCHEDULER)
                            .build());
            var held = cluster.run(Plans.hold(60_000, Plans.gang(cluster, job.getUid())));
            assertThat(held.getPlan().getConflictsList()).isEmpty();
            assertThat(cluster.run(Plans.commit(Plans.gang(cluster, job.getUid())))
                            .getPlan()
                            .getConflictsList())
                    .isEmpty();
            var confirmed =
                    cluster.run(Plans.confirm(held.getPlan().getHold().getId())).getPlan();
            assertThat(confirmed.getConflictsList())
                    .hasSize(2)
                    .allMatch(conflict -> conflict.getMessage().contains("no place yet"));
        }
    }

    @Test
    void shrinksByItsLastTasksWhichComeBackAsAnotherAttempt() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = startWith(cluster, 4, 2, 4);
            String uid = job.getUid();
            run(cluster, uid);
            assertThat(cluster.run(Commands.resize("train", 3))
                            .getJob()
                            .getSpec()
                            .getGroups(0)
                            .getTargetCount())
                    .isEqualTo(3);
            assertThat(cluster.task(uid, 3).getState()).isEqualTo(TaskState.TASK_STATE_STOPPING);
            assertThat(cluster.task(uid, 3).getLeaving()).isTrue();
            cluster.report(cluster.task(uid, 3), TaskState.TASK_STATE_FAILED, report -> report.setExitCode(143));

            Job smaller = cluster.job(uid);
            assertThat(smaller.getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(smaller.getStatus().getFailures()).isZero();
            assertThat(cluster.task(uid, 3).getState()).isEqualTo(TaskState.TASK_STATE_PENDING);
            assertThat(cluster.task(uid, 3).getAttempt()).isEqualTo(2);
            assertThat(cluster.state().growing()).isEmpty();
            assertThat(kinds(cluster, uid)).endsWith(JobEventKind.JOB_EVENT_KIND_LEFT);

            cluster.run(Commands.resize("train", 4));
            cluster.place(uid);
            assertThat(cluster.task(uid, 3).getState()).isEqualTo(TaskState.TASK_STATE_ALLOCATED);
            assertThat(cluster.engine().view().history().tasks(uid, TaskRef.getDefaultInstance(), 10))
                    .singleElement()
                    .matches(task -> task.getIndex() == 3 && task.getAttempt() == 1);
        }
    }

    @Test
    void goesOnWithoutALostTaskDownToItsMinimumAndStartsAgainBelow() {
        try (TestCluster cluster = TestCluster.with("n1", "n2", "n3")) {
            Job job = cluster.submit(
                    "train",
                    Commands.gang(3, 3_000, 100)
                            .setGroups(
                                    0,
                                    Commands.gang(3, 3_000, 100).getGroups(0).toBuilder()
                                            .setMinCount(2))
                            .setOnLeaseEnd(LeaseEnd.LEASE_END_STOP)
                            .build());
            String uid = job.getUid();
            cluster.place(uid);
            run(cluster, uid);
            cluster.loseNode(cluster.task(uid, 1).getNode());
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(cluster.task(uid, 1).getState()).isEqualTo(TaskState.TASK_STATE_PENDING);
            assertThat(cluster.job(uid).getStatus().getNodeLosses()).isZero();
            cluster.loseNode(cluster.task(uid, 0).getNode());
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
            cluster.report(cluster.task(uid, 2), TaskState.TASK_STATE_CANCELLED);
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            assertThat(cluster.tasks(uid)).allMatch(task -> task.getState() == TaskState.TASK_STATE_PENDING);
        }
    }

    @Test
    void isOverWhenAllThatJoinedAreDone() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = startWith(cluster, 3, 2, 6);
            String uid = job.getUid();
            run(cluster, uid);
            cluster.report(cluster.task(uid, 0), TaskState.TASK_STATE_SUCCEEDED);
            assertThat(cluster.state().growing()).isEmpty();
            cluster.report(cluster.task(uid, 1), TaskState.TASK_STATE_SUCCEEDED);
            cluster.report(cluster.task(uid, 2), TaskState.TASK_STATE_SUCCEEDED);
            assertThat(cluster.finished(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_SUCCEEDED);
            assertThat(cluster.state().counts().allocations()).isZero();
        }
    }

    @Test
    void anEvictionTakesOneTaskWhereTheGangCanDoWithoutAndElseStopsIt() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = startWith(cluster, 3, 2, 4);
            String uid = job.getUid();
            run(cluster, uid);
            evict(cluster, cluster.task(uid, 2));
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(cluster.task(uid, 2).getLeaving()).isTrue();
            evict(cluster, cluster.task(uid, 1));
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
            assertThat(cluster.job(uid).getStatus().getPreemptions()).isEqualTo(1);
        }
    }

    private static void evict(TestCluster cluster, Task task) {
        var place = cluster.state()
                .allocation(task.getNode(), task.getAllocationId())
                .orElseThrow();
        assertThat(cluster.run(Plans.commit(GangPlacement.newBuilder().addEvictions(Plans.evict(place))))
                        .getPlan()
                        .getConflictsList())
                .isEmpty();
    }

    @Test
    void aCheckpointDoesNotWaitForTasksThatLeaveOrHaveNotJoined() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            Job job = startWith(cluster, 3, 2, 6);
            String uid = job.getUid();
            run(cluster, uid);
            cluster.run(Commands.resize("train", 2));
            cluster.report(cluster.task(uid, 0), TaskState.TASK_STATE_RUNNING, report -> report.setCheckpointStep(9));
            cluster.report(cluster.task(uid, 1), TaskState.TASK_STATE_RUNNING, report -> report.setCheckpointStep(8));
            assertThat(cluster.job(uid).getStatus().getCheckpoint().getStep()).isEqualTo(8);
        }
    }

    @Test
    void aGangThatIsCutShrinksByWholeSlices() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            JobSpec.Builder spec = Commands.elastic(2, 6).toBuilder();
            spec.getGroupsBuilder(0).getTopologyBuilder().setSliceTasks(2).setSliceLevel("rack");
            Job job = cluster.start("train", spec.build());
            String uid = job.getUid();
            run(cluster, uid);
            evict(cluster, cluster.task(uid, 3));
            cluster.report(cluster.task(uid, 3), TaskState.TASK_STATE_CANCELLED);
            cluster.run(Commands.resize("train", 4));
            assertThat(cluster.tasks(uid))
                    .extracting(Task::getLeaving)
                    .containsExactly(false, false, false, false, true, true);
        }
    }

    @Test
    void whyATaskLeftIsToldAndAHoldWithASpareLeavesNothingBehind() {
        try (TestCluster cluster = TestCluster.with("n1", "n2")) {
            JobSpec.Builder spec = Commands.elastic(1, 2).toBuilder().setScheduler(Plans.SCHEDULER);
            spec.getGroupsBuilder(0).setSpares(1);
            Job job = cluster.submit("train", spec.build());
            var held = cluster.run(Plans.hold(60_000, Plans.gang(cluster, job.getUid())));
            String hold = held.getPlan().getHold().getId();
            assertThat(cluster.run(Plans.confirm(hold)).getPlan().getConflictsList())
                    .isEmpty();
            assertThat(cluster.state().heldBy(hold)).isEmpty();
            assertThat(cluster.state().sparesOf(job.getUid())).hasSize(1);
            evict(cluster, cluster.task(job.getUid(), 1));
            cluster.report(cluster.task(job.getUid(), 1), TaskState.TASK_STATE_CANCELLED);
            assertThat(cluster.events(job.getUid()))
                    .filteredOn(event -> event.getKind() == JobEventKind.JOB_EVENT_KIND_LEFT)
                    .extracting(JobEvent::getMessage)
                    .containsExactly("preempted: scheduler mine");
        }
    }

    @Test
    void aNumberOutOfItsBoundsOrOfNoElasticGroupIsRefused() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            startWith(cluster, 2, 2, 4);
            TestCluster.assertRefused(cluster.run(Commands.resize("train", 1)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            TestCluster.assertRefused(cluster.run(Commands.resize("train", 5)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            TestCluster.assertRefused(cluster.run(Commands.resize("other", 5)), ErrorCode.ERROR_CODE_NOT_FOUND);
            cluster.submit("rigid", Commands.gang(2));
            TestCluster.assertRefused(cluster.run(Commands.resize("rigid", 1)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            TestCluster.assertRefused(
                    cluster.run(Commands.submit("odd", Commands.elastic(5, 4))), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
        }
    }
}
