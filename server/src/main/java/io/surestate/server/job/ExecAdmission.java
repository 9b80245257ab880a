package io.surestate.server.job;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ExecStart;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import io.surestate.server.api.Problems;
import io.surestate.server.api.Refused;
import java.util.List;
import java.util.Optional;

/** Checks commands that are to run within tasks, and finds the task that is meant. Pure. */
final class ExecAdmission {
    private ExecAdmission() {}

    static void check(ExecStart start) {
        Problems.range("command arguments", start.getCommandCount(), 1, Limits.COMMAND_ARGUMENTS_MAX);
        Problems.range(
                "command characters",
                start.getCommandList().stream().mapToLong(String::length).sum(),
                1,
                Limits.COMMAND_CHARS_MAX);
        if (start.getCommand(0).isEmpty() || start.getCommandList().stream().anyMatch(word -> word.indexOf(0) >= 0)) {
            throw Problems.invalid(Names.message("command", start.getCommand(0), "a program, and no NUL"));
        }
        if (!start.getGroup().isEmpty() && !start.getNode().isEmpty()) {
            throw Problems.invalid("node: given together with a group (expected: one of them)");
        }
        Problems.length("node", start.getNode(), Limits.NAME_CHARS_MAX);
        Problems.length("terminal.type", start.getTerminal().getType(), Limits.LABEL_CHARS_MAX);
        Problems.range("terminal.rows", start.getTerminal().getRows(), 0, Limits.TERMINAL_SIDE_MAX);
        Problems.range("terminal.columns", start.getTerminal().getColumns(), 0, Limits.TERMINAL_SIDE_MAX);
    }

    /** One that runs. Refuses if none does; in a way that has callers ask again if one is about to. */
    static Task task(JobLookup.Found found, ExecStart start) {
        List<Task> meant = found.tasks().stream()
                .filter(task -> start.getGroup().isEmpty()
                        || (task.getGroup().equals(start.getGroup()) && task.getIndex() == start.getIndex()))
                .filter(task -> start.getNode().isEmpty() || task.getNode().equals(start.getNode()))
                .toList();
        if (meant.isEmpty()) {
            throw Refused.of(
                    ErrorCode.ERROR_CODE_NOT_FOUND,
                    Names.message(
                            "task", which(start), "a task of job " + found.job().getName()));
        }
        Optional<Task> running = meant.stream()
                .filter(task -> task.getState() == TaskState.TASK_STATE_RUNNING)
                .findFirst();
        return running.orElseThrow(() -> meant.stream().anyMatch(ExecAdmission::startsSoon)
                ? Refused.of(ErrorCode.ERROR_CODE_UNAVAILABLE, "task: " + which(start) + " has not started yet")
                : Refused.of(
                        ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                        "task: " + which(start) + " does not run (expected: a task that runs)"));
    }

    private static String which(ExecStart start) {
        String task = start.getGroup().isEmpty() ? "any" : start.getGroup() + "/" + start.getIndex();
        return start.getNode().isEmpty() ? task : task + " on node " + start.getNode();
    }

    private static boolean startsSoon(Task task) {
        return task.getState() == TaskState.TASK_STATE_ALLOCATED || task.getState() == TaskState.TASK_STATE_STARTING;
    }
}
