package io.surestate.statemachine.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpareSwapTest {
    private static final String[] NODES = {"n1", "n2", "n3", "n4", "n5"};

    /** Three tasks, each of a whole node, and spare places beside them. */
    private static String start(TestCluster cluster, int spares) {
        JobSpec.Builder spec = Commands.checkpointed(3).toBuilder();
        spec.getGroupsBuilder(0).setSpares(spares).getResourcesBuilder().setCpuMillicores(4_000);
        Job job = cluster.start("train", spec.build());
        cluster.reportAll(job.getUid(), TaskState.TASK_STATE_RUNNING, report -> report.setCheckpointStep(7));
        return job.getUid();
    }

    private static List<String> nodes(TestCluster cluster, String uid) {
        return cluster.tasks(uid).stream().map(Task::getNode).toList();
    }

    private static void stopped(TestCluster cluster, String uid) {
        for (Task task : List.copyOf(cluster.tasks(uid))) {
            if (task.getState() == TaskState.TASK_STATE_STOPPING) {
                cluster.report(task, TaskState.TASK_STATE_CANCELLED);
            }
        }
    }

    @Test
    void aSparePlaceIsKeptAndStartsNothing() {
        try (TestCluster cluster = TestCluster.with(NODES)) {
            String uid = start(cluster, 1);
            assertThat(nodes(cluster, uid)).containsExactly("n1", "n2", "n3");
            assertThat(cluster.state().sparesOf(uid))
                    .singleElement()
                    .matches(spare -> spare.getNode().equals("n4")
                            && spare.getState() == AllocationState.ALLOCATION_STATE_HELD
                            && spare.getTask().getIndex() == 3);
            assertThat(cluster.tasks(uid)).hasSize(3);
        }
    }

    @Test
    void aLostTaskMovesToTheSparePlaceAndTheOthersKeepTheirs() {
        try (TestCluster cluster = TestCluster.with(NODES)) {
            String uid = start(cluster, 1);
            cluster.loseNode("n2");
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RESTARTING);
            assertThat(cluster.state().nominatedFor(uid))
                    .extracting(Allocation::getNode)
                    .containsExactly("n1", "n3", "n4");
            stopped(cluster, uid);

            Job next = cluster.job(uid);
            assertThat(next.getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(next.getStatus().getAttempt()).isEqualTo(2);
            assertThat(next.getStatus().getCheckpoint().getStep()).isEqualTo(7);
            assertThat(nodes(cluster, uid)).containsExactly("n1", "n4", "n3");
            assertThat(cluster.state().sparesOf(uid)).isEmpty();
            assertThat(cluster.events(uid))
                    .filteredOn(event -> event.getKind() == JobEventKind.JOB_EVENT_KIND_SWAPPED)
                    .extracting(JobEvent::getTask, JobEvent::getMessage)
                    .containsExactly(tuple("worker/1", "moves to n4"));
        }
    }

    @Test
    void nobodyTakesAPlaceBetweenLossAndNextAttempt() {
        try (TestCluster cluster = TestCluster.with(NODES)) {
            String uid = start(cluster, 1);
            cluster.loseNode("n2");
            cluster.report(cluster.task(uid, 0), TaskState.TASK_STATE_CANCELLED);
            Job thief = cluster.submit("thief", Commands.gang(2, 4_000, 100).build());
            assertThat(cluster.run(Plans.commit(
                                    Plans.gang(cluster, thief.getUid()).setGeneration(1)))
                            .getPlan()
                            .getCommittedList())
                    .isEmpty();
            stopped(cluster, uid);
            assertThat(nodes(cluster, uid)).containsExactly("n1", "n4", "n3");
        }
    }

    @Test
    void twoLossesTakeTwoSparePlacesAndAThirdStartsTheGangElsewhere() {
        try (TestCluster cluster = TestCluster.with(NODES)) {
            String uid = start(cluster, 2);
            cluster.loseNode("n1");
            cluster.loseNode("n2");
            assertThat(cluster.state().nominatedFor(uid))
                    .extracting(Allocation::getNode)
                    .containsExactly("n3", "n4", "n5");
            cluster.loseNode("n3");
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            assertThat(cluster.state().nominatedFor(uid)).isEmpty();
            assertThat(cluster.state().sparesOf(uid)).isEmpty();
            assertThat(cluster.state().counts().allocations()).isZero();
        }
    }

    @Test
    void aSpareOfALostNodeIsNoPlaceToMoveTo() {
        try (TestCluster cluster = TestCluster.with(NODES)) {
            String uid = start(cluster, 1);
            cluster.loseNode("n4");
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(cluster.state().sparesOf(uid)).isEmpty();
            cluster.loseNode("n2");
            stopped(cluster, uid);
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
        }
    }

    @Test
    void aFailedTaskIsNoLossAndASpareGoesWithTheJob() {
        try (TestCluster cluster = TestCluster.with(NODES)) {
            String uid = start(cluster, 1);
            cluster.report(cluster.task(uid, 0), TaskState.TASK_STATE_FAILED);
            assertThat(cluster.state().nominatedFor(uid)).isEmpty();
            stopped(cluster, uid);
            assertThat(cluster.state().sparesOf(uid)).isEmpty();
            cluster.advance(2_000);
            cluster.place(uid);
            assertThat(cluster.state().sparesOf(uid)).hasSize(1);
            cluster.reportAll(uid, TaskState.TASK_STATE_SUCCEEDED);
            assertThat(cluster.state().counts().allocations()).isZero();
        }
    }

    @Test
    void aCancelWhileTheGangWaitsForItsPromisedPlacesFreesEverything() {
        try (TestCluster cluster = TestCluster.with(NODES)) {
            String uid = start(cluster, 2);
            cluster.loseNode("n2");
            cluster.run(Commands.cancel("train"));
            stopped(cluster, uid);
            assertThat(cluster.finished(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_CANCELLED);
            assertThat(cluster.state().counts().allocations()).isZero();
        }
    }

    @Test
    void anElasticGangGoesOnWithTheTaskOnTheSparePlace() {
        try (TestCluster cluster = TestCluster.with(NODES)) {
            JobSpec.Builder spec = Commands.checkpointed(3).toBuilder();
            spec.getGroupsBuilder(0)
                    .setMinCount(2)
                    .setSpares(1)
                    .getResourcesBuilder()
                    .setCpuMillicores(4_000);
            Job job = cluster.start("train", spec.build());
            String uid = job.getUid();
            cluster.reportAll(uid, TaskState.TASK_STATE_RUNNING);
            cluster.loseNode("n2");
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(nodes(cluster, uid)).containsExactly("n1", "n4", "n3");
            assertThat(cluster.task(uid, 1).getState()).isEqualTo(TaskState.TASK_STATE_ALLOCATED);
            assertThat(cluster.task(uid, 1).getAttempt()).isEqualTo(2);
            assertThat(cluster.state().sparesOf(uid)).isEmpty();
            cluster.loseNode("n4");
            assertThat(cluster.task(uid, 1).getState()).isEqualTo(TaskState.TASK_STATE_PENDING);
        }
    }

    @Test
    void aTaskThatWasLeavingGetsNoPlaceInTheNextAttempt() {
        try (TestCluster cluster = TestCluster.with("n1", "n2", "n3", "n4", "n5")) {
            JobSpec.Builder spec = Commands.checkpointed(3).toBuilder();
            spec.getGroupsBuilder(0)
                    .setMinCount(2)
                    .setSpares(1)
                    .getResourcesBuilder()
                    .setCpuMillicores(4_000);
            Job job = cluster.start("train", spec.build());
            String uid = job.getUid();
            cluster.reportAll(uid, TaskState.TASK_STATE_RUNNING);
            cluster.run(Commands.resize("train", 2));
            cluster.loseNode("n2");
            stopped(cluster, uid);
            assertThat(cluster.job(uid).getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_RUNNING);
            assertThat(nodes(cluster, uid)).containsExactly("n1", "n4", "");
        }
    }

    @Test
    void aSpareIsOfItsOwnSlice() {
        try (TestCluster cluster = TestCluster.with("n1", "n2", "n3", "n4", "n5", "n6")) {
            JobSpec.Builder spec = Commands.checkpointed(4).toBuilder();
            spec.getGroupsBuilder(0).setSpares(1).getResourcesBuilder().setCpuMillicores(4_000);
            spec.getGroupsBuilder(0).getTopologyBuilder().setSliceTasks(2).setSliceLevel("rack");
            Job job = cluster.start("train", spec.build());
            String uid = job.getUid();
            cluster.reportAll(uid, TaskState.TASK_STATE_RUNNING);
            cluster.loseNode(cluster.task(uid, 2).getNode());
            stopped(cluster, uid);
            assertThat(nodes(cluster, uid)).containsExactly("n1", "n2", "n6", "n4");
            assertThat(cluster.state().sparesOf(uid))
                    .singleElement()
                    .matches(spare -> spare.getNode().equals("n5"));
        }
    }
}
