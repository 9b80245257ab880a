package io.surestate.statemachine.job;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import org.junit.jupiter.api.Test;

class SubmitJobTest {
    @Test
    void aNewJobWaitsWithAllItsTasks() {
        try (TestCluster cluster = TestCluster.with()) {
            Job job = cluster.submit("train", Commands.gang(3));
            assertThat(job.getUid()).isEqualTo("0000000000000002-000000");
            assertThat(job.getGeneration()).isEqualTo(1);
            assertThat(job.getRevision()).isEqualTo(2);
            assertThat(job.getStatus().getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
            assertThat(job.getStatus().getAttempt()).isEqualTo(1);
            assertThat(cluster.tasks(job.getUid()))
                    .hasSize(3)
                    .allMatch(task -> task.getState() == TaskState.TASK_STATE_PENDING)
                    .extracting(Task::getIndex)
                    .containsExactly(0, 1, 2);
            assertThat(cluster.events(job.getUid()))
                    .extracting(JobEvent::getKind)
                    .containsExactly(JobEventKind.JOB_EVENT_KIND_SUBMITTED);
        }
    }

    @Test
    void aNameOfALiveJobIsRefused() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.submit("train", Commands.gang(1));
            assertRefused(cluster.run(Commands.submit("train", Commands.gang(1))), ErrorCode.ERROR_CODE_ALREADY_EXISTS);
            assertThat(cluster.state().jobs()).hasSize(1);
        }
    }

    @Test
    void aNameIsFreeAgainOnceItsJobIsOver() {
        try (TestCluster cluster = TestCluster.with()) {
            Job old = cluster.submit("train", Commands.gang(1));
            cluster.run(Commands.cancel("train"));
            Job next = cluster.submit("train", Commands.gang(1));
            assertThat(next.getUid()).isGreaterThan(old.getUid());
        }
    }

    @Test
    void commandsOfOneEntryTakeIdsInTheirOrder() {
        try (TestCluster cluster = TestCluster.with()) {
            AppliedEntry applied = cluster.runAll(
                    Commands.submit("a", Commands.gang(1)),
                    Commands.submit("a", Commands.gang(1)),
                    Commands.submit("b", Commands.gang(1)));
            assertThat(applied.outcomes().get(0).getJob().getUid()).endsWith("-000000");
            assertRefused(applied.outcomes().get(1), ErrorCode.ERROR_CODE_ALREADY_EXISTS);
            assertThat(applied.outcomes().get(2).getJob().getUid()).endsWith("-000001");
        }
    }

    @Test
    void pendingJobsStandInLineByPriorityThenAge() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.submit("a", Commands.gang(1, 500, 0).setPriority(-1).build());
            cluster.submit("b", Commands.gang(1));
            cluster.submit("c", Commands.gang(1, 500, 0).setPriority(10).build());
            cluster.submit("d", Commands.gang(1));
            assertThat(cluster.state().pending())
                    .extracting(pending -> cluster.job(pending.uid()).getName())
                    .containsExactly("c", "b", "d", "a");
        }
    }

    @Test
    void aSpecWithoutTasksOrWithOneGroupTwiceIsRefused() {
        try (TestCluster cluster = TestCluster.with()) {
            TaskGroup group =
                    TaskGroup.newBuilder().setName("worker").setCount(1).build();
            assertRefused(
                    cluster.run(Commands.submit("a", JobSpec.getDefaultInstance())),
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            assertRefused(
                    cluster.run(Commands.submit(
                            "a",
                            JobSpec.newBuilder()
                                    .addGroups(group.toBuilder().setCount(0))
                                    .build())),
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            assertRefused(
                    cluster.run(Commands.submit(
                            "a",
                            JobSpec.newBuilder()
                                    .addGroups(group)
                                    .addGroups(group)
                                    .build())),
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            assertThat(cluster.state().jobs()).isEmpty();
        }
    }
}
