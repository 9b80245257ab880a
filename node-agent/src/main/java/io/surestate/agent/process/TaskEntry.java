package io.surestate.agent.process;

import io.surestate.api.v1.ExecStart;
import io.surestate.api.v1.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The way into a task that runs: a command becomes a part of it, with its control group, folder, environment, account and network, and within its container
 * where it has one. Everything is read from disk, so that it also works for tasks of an agent before. Thread-safe; may be slow.
 */
public final class TaskEntry {
    private final ProcessDriver.Settings settings;
    private final ProcessTable table;

    public TaskEntry(ProcessDriver.Settings settings, ProcessTable table) {
        this.settings = settings;
        this.table = table;
    }

    /**
     * Starts the command.
     *
     * @throws IllegalStateException if there is no such task, or it does not run
     * @throws IOException if it could not be started, such as for want of {@code script} of util-linux for a terminal
     */
    public Process enter(String allocationId, ExecStart start) throws IOException {
        TaskFolder folder = folder(allocationId)
                .orElseThrow(() -> new IllegalStateException("allocation: " + allocationId + " is not on this node"));
        ProcessId leader = leader(folder)
                .filter(ignored -> !ends(folder))
                .orElseThrow(() -> new IllegalStateException(
                        "allocation: " + allocationId + " does not run (expected: a task that runs)"));
        List<String> command = new ArrayList<>(start.getCommandList());
        if (start.hasTerminal()) {
            String type = start.getTerminal().getType();
            command.addAll(0, List.of("env", "TERM=" + (type.isEmpty() ? "dumb" : type)));
        }
        List<String> inside = Files.exists(folder.image())
                ? inContainer(folder, command, start.hasTerminal())
                : beside(folder, leader, command);
        ProcessBuilder builder = new ProcessBuilder(
                        start.hasTerminal() ? onTerminal(inside, start.getTerminal()) : inside)
                .directory(folder.path().toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", Tools.PATH);
        environment.put("SHELL", "/bin/sh");
        // Its processes belong to the task from the first moment on.
        environment.put(ProcessTable.TOKEN, token(folder));
        return builder.start();
    }

    private static List<String> beside(TaskFolder folder, ProcessId leader, List<String> command) {
        List<String> words = new ArrayList<>(List.of("sh", folder.entry().toString(), Long.toString(leader.pid())));
        words.addAll(command);
        return words;
    }

    private List<String> inContainer(TaskFolder folder, List<String> command, boolean terminal) {
        Containers containers = settings.containers()
                .orElseThrow(() -> new IllegalStateException("runtime: none on this node any more"));
        List<String> words = new ArrayList<>(List.of(
                containers.runtime().toString(), "--root", containers.state().toString(), "exec"));
        if (terminal) {
            words.add("--tty");
        }
        words.add(folder.id());
        words.addAll(command);
        return words;
    }

    /** By {@code script} of util-linux, which has what it takes to make one. */
    private static List<String> onTerminal(List<String> inside, Terminal terminal) {
        String quoted = inside.stream().map(RunScript::quote).collect(Collectors.joining(" "));
        String sized = terminal.getRows() > 0 && terminal.getColumns() > 0
                ? "stty rows " + terminal.getRows() + " cols " + terminal.getColumns() + "; exec " + quoted
                : "exec " + quoted;
        return List.of("script", "-q", "-e", "-f", "-c", sized, "/dev/null");
    }

    /** Whether the task has ended or is being ended. */
    public boolean over(String allocationId) {
        Optional<TaskFolder> folder = folder(allocationId);
        try {
            return folder.isEmpty()
                    || ends(folder.get())
                    || leader(folder.get()).isEmpty();
        } catch (IOException unreadable) {
            return true;
        }
    }

    private static boolean ends(TaskFolder folder) {
        return Files.exists(folder.stopMark()) || Files.exists(folder.fenceMark());
    }

    /** The live process that the task's program is. */
    private Optional<ProcessId> leader(TaskFolder folder) throws IOException {
        Optional<Path> claim = LaunchRecord.find(folder);
        return claim.isEmpty()
                ? Optional.empty()
                : LaunchRecord.read(claim.get()).leader().filter(table::isLive);
    }

    private String token(TaskFolder folder) throws IOException {
        return Journal.read(folder)
                .map(start -> ProcessDriver.token(start.task(), settings))
                .orElseThrow(() -> new IllegalStateException("allocation: " + folder.id() + " has no journal"));
    }

    /** Whatever a server asks for, it stays within one folder. */
    private Optional<TaskFolder> folder(String allocationId) {
        return Optional.of(allocationId)
                .filter(TaskFolder::isId)
                .map(id -> new TaskFolder(settings.tasksDir().toAbsolutePath().resolve(id)))
                .filter(folder -> Files.exists(folder.journal()));
    }
}
