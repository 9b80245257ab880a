package io.surestate.agent.process;

import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.TaskGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The little script that becomes the task: enters its folder, leaves for a session of its own, pins itself, and gives way to the program. */
final class RunScript {
    private static final int NOT_EXECUTABLE = 126;

    private RunScript() {}

    /**
     * The script's text; to be run in the task's folder by a process that leads no process group.
     *
     * @param environment all that the program gets
     * @param pin whether {@code taskset} is there
     */
    static String of(DesiredTask task, Path workingDir, Map<String, String> environment, boolean pin) {
        TaskGroup group = task.getGroup();
        StringBuilder script = new StringBuilder();
        script.append("cd ")
                .append(quote(workingDir.toString()))
                .append(" || exit ")
                .append(NOT_EXECUTABLE)
                .append('\n');
        script.append("exec setsid ");
        List<CoreShare> cores = task.getAllocation().getClaim().getCoresList();
        if (pin && !cores.isEmpty()) {
            String list = cores.stream()
                    .map(core -> Integer.toString(core.getCoreId()))
                    .collect(Collectors.joining(","));
            script.append("taskset -c ").append(list).append(' ');
        }
        script.append("env -i ").append(Tools.RESET_SIGNALS);
        environment.forEach((name, value) -> script.append(' ').append(quote(name + "=" + value)));
        if (group.getCommand(0).indexOf('=') >= 0) {
            script.append(" /bin/sh -c 'exec \"$@\"' sh");
        }
        group.getCommandList().forEach(word -> script.append(' ').append(quote(word)));
        return script.append('\n').toString();
    }

    static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
