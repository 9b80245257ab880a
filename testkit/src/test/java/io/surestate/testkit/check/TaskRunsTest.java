package io.surestate.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.TaskRef;
import org.junit.jupiter.api.Test;

class TaskRunsTest {
    private final TaskRuns runs = new TaskRuns(run -> run.machine().equals("asleep"));

    private static Allocation allocation(String node, int attempt, int milli) {
        return Allocation.newBuilder()
                .setId(node + "-" + attempt)
                .setNode(node)
                .setEpoch(10L * attempt)
                .setState(AllocationState.ALLOCATION_STATE_BOUND)
                .setTask(TaskRef.newBuilder().setJobUid("job").setGroup("g").setAttempt(attempt))
                .setClaim(Claim.newBuilder()
                        .addCores(CoreShare.newBuilder().setCoreId(0).setMilli(milli)))
                .build();
    }

    private TaskRuns.Run given(String node, int attempt) {
        Allocation allocation = allocation(node, attempt, 1000);
        assertThat(runs.allocated(allocation, 0)).isEmpty();
        return new TaskRuns.Run(node, allocation);
    }

    @Test
    void oneAttemptAfterTheOtherIsRight() {
        TaskRuns.Run first = given("n1", 1);
        assertThat(runs.started(first, 0)).isEmpty();
        runs.ended("n1-1");
        assertThat(runs.removed("n1-1")).isEmpty();
        assertThat(runs.started(given("n2", 2), 0)).isEmpty();
    }

    @Test
    void aStaleAttemptBesideANewerOneIsFound() {
        assertThat(runs.started(given("n1", 1), 0)).isEmpty();
        assertThat(runs.started(given("n2", 2), 0))
                .hasValueSatisfying(what -> assertThat(what).contains("runs twice"));
    }

    @Test
    void oneThatSleepsIsExcused() {
        assertThat(runs.started(given("asleep", 1), 0)).isEmpty();
        assertThat(runs.removed("asleep-1")).isEmpty();
        assertThat(runs.started(given("n2", 2), 0)).isEmpty();
    }

    @Test
    void aStartAfterANewerEpochIsFound() {
        TaskRuns.Run stale = given("n1", 1);
        assertThat(runs.started(given("n2", 2), 0)).isEmpty();
        runs.ended("n2-2");
        assertThat(runs.started(stale, 0))
                .hasValueSatisfying(what -> assertThat(what).contains("stale epoch"));
    }

    @Test
    void aStartThatTheLedgerDoesNotCountIsFound() {
        TaskRuns.Run dropped = given("n1", 1);
        assertThat(runs.removed("n1-1")).isEmpty();
        assertThat(runs.started(dropped, 0))
                .hasValueSatisfying(what -> assertThat(what).contains("not in the ledger"));
    }

    @Test
    void aReleaseOfWhatRunsIsFound() {
        assertThat(runs.started(given("n1", 1), 0)).isEmpty();
        assertThat(runs.removed("n1-1")).isPresent();
    }

    @Test
    void aCheckpointThatFellIsFound() {
        Allocation allocation = allocation("n1", 1, 1000);
        assertThat(runs.allocated(allocation, 7)).isEmpty();
        assertThat(runs.started(new TaskRuns.Run("n1", allocation), 6))
                .hasValueSatisfying(what -> assertThat(what).contains("7 was committed"));
    }

    @Test
    void aPlaceThatIsOnlyKeptOrPromisedStartsNothing() {
        Allocation held = allocation("n1", 1, 1000).toBuilder()
                .setState(AllocationState.ALLOCATION_STATE_HELD)
                .build();
        assertThat(runs.allocated(held, 0)).isEmpty();
        assertThat(runs.started(new TaskRuns.Run("n1", held), 0)).isPresent();
    }

    @Test
    void whatIsSeenRunningMustCount() {
        TaskRuns.Run run = given("n1", 1);
        assertThat(runs.seen(run)).isEmpty();
        assertThat(runs.removed("n1-1")).isEmpty();
        assertThat(runs.seen(run)).isPresent();
    }
}
