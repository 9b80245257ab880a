package io.surestate.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.Limits;
import io.surestate.api.v1.ExecStart;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import io.surestate.api.v1.Terminal;
import io.surestate.server.api.Refused;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExecAdmissionTest {
    private static final ExecStart.Builder WELL = ExecStart.newBuilder().addCommand("ls");

    private static void refuses(ExecStart.Builder start, String message) {
        assertThatThrownBy(() -> ExecAdmission.check(start.build()))
                .isInstanceOf(Refused.class)
                .hasMessageContaining(message);
    }

    @Test
    void whatCannotBeRunIsRefusedByItsName() {
        assertThatCode(() -> ExecAdmission.check(WELL.build())).doesNotThrowAnyException();
        refuses(ExecStart.newBuilder(), "command arguments");
        refuses(ExecStart.newBuilder().addCommand("").addCommand("x"), "command");
        refuses(ExecStart.newBuilder().addCommand("a\0b"), "command");
        refuses(
                ExecStart.newBuilder().addAllCommand(Collections.nCopies(Limits.COMMAND_ARGUMENTS_MAX + 1, "x")),
                "command arguments");
        refuses(ExecStart.newBuilder().addCommand("x".repeat(Limits.COMMAND_CHARS_MAX + 1)), "command characters");
        refuses(WELL.clone().setGroup("g").setNode("n"), "node");
        refuses(WELL.clone().setTerminal(Terminal.newBuilder().setRows(-1)), "terminal.rows");
        refuses(WELL.clone().setTerminal(Terminal.newBuilder().setType("x".repeat(64))), "terminal.type");
    }

    private static Task task(int index, TaskState state, String node) {
        return Task.newBuilder()
                .setGroup("g")
                .setIndex(index)
                .setState(state)
                .setNode(node)
                .build();
    }

    private static Task find(ExecStart.Builder start) {
        List<Task> tasks = List.of(
                task(0, TaskState.TASK_STATE_SUCCEEDED, "n1"),
                task(1, TaskState.TASK_STATE_RUNNING, "n1"),
                task(2, TaskState.TASK_STATE_RUNNING, "n2"),
                task(3, TaskState.TASK_STATE_ALLOCATED, "n3"));
        return ExecAdmission.task(
                new JobLookup.Found(Job.newBuilder().setName("j").build(), tasks, true), start.build());
    }

    @Test
    void theFirstTaskThatRunsIsMeantOrTheOneThatIsNamed() {
        assertThat(find(WELL.clone()).getIndex()).isEqualTo(1);
        assertThat(find(WELL.clone().setNode("n2")).getIndex()).isEqualTo(2);
        assertThat(find(WELL.clone().setGroup("g").setIndex(2)).getIndex()).isEqualTo(2);
    }

    @Test
    void aTaskThatIsAboutToStartIsWaitedForAndOneThatIsOverIsNot() {
        assertThatThrownBy(() -> find(WELL.clone().setNode("n3")))
                .hasMessageContaining("any on node n3 has not started yet");
        assertThatThrownBy(() -> find(WELL.clone().setGroup("g"))).hasMessageContaining("g/0 does not run");
        assertThatThrownBy(() -> find(WELL.clone().setGroup("g").setIndex(9))).hasMessageContaining("task: \"g/9\"");
        assertThatThrownBy(() -> find(WELL.clone().setNode("n9"))).hasMessageContaining("a task of job j");
    }
}
