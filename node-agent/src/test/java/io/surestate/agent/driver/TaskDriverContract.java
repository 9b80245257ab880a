package io.surestate.agent.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What every driver promises. */
public abstract class TaskDriverContract {
    protected abstract TaskDriver driver();

    /** A task that ends by itself with this exit code, soon. */
    protected abstract DesiredTask ending(int number, int exitCode);

    /** A task that runs until it is stopped. */
    protected abstract DesiredTask endless(int number);

    /** A task that takes no notice of the stop signal. */
    protected abstract DesiredTask stubborn(int number);

    /** Polls until it holds; fails if it never does. */
    protected abstract void await(Predicate<TaskDriver> condition);

    @Test
    void aTaskThatEndsWellSucceeded() {
        driver().start(ending(1, 0));
        awaitState("a-1", TaskState.TASK_STATE_SUCCEEDED);
        assertThat(report("a-1").getExitCode()).isZero();
        assertThat(report("a-1").getEpoch()).isEqualTo(101);
        assertThat(report("a-1").getTask().getGroup()).isEqualTo("worker");
    }

    @Test
    void aTaskThatEndsBadlyFailedWithItsExitCode() {
        driver().start(ending(1, 3));
        awaitState("a-1", TaskState.TASK_STATE_FAILED);
        assertThat(report("a-1").getExitCode()).isEqualTo(3);
        assertThat(report("a-1").getSignal()).isZero();
        assertThat(report("a-1").getReason()).isEqualTo("exit code 3");
    }

    @Test
    void aRunningTaskHasAProcessId() {
        driver().start(endless(1));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        assertThat(report("a-1").getPid()).isPositive();
    }

    @Test
    void startingAgainWhatIsKnownChangesNothing() {
        driver().start(endless(1));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        TaskReport before = report("a-1");
        driver().start(endless(1));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        assertThat(report("a-1")).isEqualTo(before);
    }

    @Test
    void aStoppedTaskIsCancelled() {
        driver().start(endless(1));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        driver().stop("a-1", 10_000);
        awaitState("a-1", TaskState.TASK_STATE_CANCELLED);
    }

    @Test
    void aStubbornTaskIsKilledAfterItsGrace() {
        driver().start(stubborn(1));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        driver().stop("a-1", 300);
        awaitState("a-1", TaskState.TASK_STATE_CANCELLED);
    }

    @Test
    void stoppingMayBeRepeated() {
        driver().start(endless(1));
        driver().stop("a-1", 10_000);
        driver().stop("a-1", 10_000);
        awaitState("a-1", TaskState.TASK_STATE_CANCELLED);
        driver().stop("a-1", 10_000);
        assertThat(report("a-1").getState()).isEqualTo(TaskState.TASK_STATE_CANCELLED);
    }

    @Test
    void aFencedTaskIsLost() {
        driver().start(stubborn(1));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        driver().fence("a-1");
        awaitState("a-1", TaskState.TASK_STATE_LOST);
        assertThat(report("a-1").getReason()).contains("lease");
    }

    @Test
    void onlyEndedTasksAreForgotten() {
        driver().start(endless(1));
        driver().start(ending(2, 0));
        awaitState("a-1", TaskState.TASK_STATE_RUNNING);
        awaitState("a-2", TaskState.TASK_STATE_SUCCEEDED);
        driver().forget("a-1");
        driver().forget("a-2");
        driver().forget("never-heard-of");
        assertThat(driver().tasks()).extracting(KnownTask::allocationId).containsExactly("a-1");
    }

    @Test
    void theNewestCheckpointIsReportedBeyondTheOneItResumedFrom() {
        driver().start(Tasks.withCheckpoints(endless(1), 5));
        await(driver -> find("a-1").map(TaskReport::getCheckpointStep).orElse(0L) >= 7);
    }

    protected void awaitState(String allocationId, TaskState state) {
        await(driver -> find(allocationId).map(r -> r.getState() == state).orElse(false));
    }

    protected TaskReport report(String allocationId) {
        return find(allocationId).orElseThrow();
    }

    protected Optional<TaskReport> find(String allocationId) {
        return driver().tasks().stream()
                .map(KnownTask::report)
                .filter(report -> report.getAllocationId().equals(allocationId))
                .findFirst();
    }
}
