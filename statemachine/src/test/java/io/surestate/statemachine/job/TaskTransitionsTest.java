package io.surestate.statemachine.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.TaskState;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TaskTransitionsTest {
    private static final Set<TaskState> FINAL = EnumSet.of(
            TaskState.TASK_STATE_SUCCEEDED,
            TaskState.TASK_STATE_FAILED,
            TaskState.TASK_STATE_LOST,
            TaskState.TASK_STATE_PREEMPTED,
            TaskState.TASK_STATE_CANCELLED);

    @ParameterizedTest
    @EnumSource(TaskState.class)
    void neverLeavesAFinalState(TaskState to) {
        assertThat(FINAL).noneMatch(from -> TaskTransitions.allowed(from, to));
    }

    @ParameterizedTest
    @EnumSource(TaskState.class)
    void neverGoesBackOrStays(TaskState from) {
        assertThat(Arrays.stream(TaskState.values())
                        .filter(to -> !FINAL.contains(to))
                        .filter(to -> TaskTransitions.allowed(from, to)))
                .allMatch(to -> to.compareTo(from) > 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = TaskState.class,
            names = {"TASK_STATE_ALLOCATED", "TASK_STATE_STARTING", "TASK_STATE_RUNNING", "TASK_STATE_STOPPING"})
    void endsInAnyWayOncePlaced(TaskState from) {
        assertThat(FINAL).allMatch(to -> TaskTransitions.allowed(from, to));
    }

    @Test
    void aPendingTaskIsPlacedOrCancelled() {
        assertThat(Arrays.stream(TaskState.values())
                        .filter(to -> TaskTransitions.allowed(TaskState.TASK_STATE_PENDING, to)))
                .containsExactlyInAnyOrder(TaskState.TASK_STATE_ALLOCATED, TaskState.TASK_STATE_CANCELLED);
    }

    @Test
    void anUnknownStateGoesNowhere() {
        assertThat(TaskState.values())
                .noneMatch(to -> TaskTransitions.allowed(TaskState.UNRECOGNIZED, to))
                .noneMatch(from -> TaskTransitions.allowed(from, TaskState.UNRECOGNIZED));
    }

    @Test
    void agentsReportNeitherPlansNorPreemptions() {
        assertThat(TaskTransitions.reportable(TaskState.TASK_STATE_ALLOCATED)).isFalse();
        assertThat(TaskTransitions.reportable(TaskState.TASK_STATE_PREEMPTED)).isFalse();
        assertThat(TaskTransitions.reportable(TaskState.TASK_STATE_LOST)).isTrue();
    }
}
