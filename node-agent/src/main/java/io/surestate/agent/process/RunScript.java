package io.surestate.agent.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;

/** The little script that becomes the task: enters its control group and its folder, leaves for a session of its own, and gives way to the program. */
final class RunScript {
    private static final int NOT_EXECUTABLE = 126;
    /** A network of its own has a loopback that is down, and nothing else. */
    private static final String LOOPBACK_UP = "ip link set lo up 2>/dev/null; exec \"$@\"";

    /** Lets a program be run whose name looks like a variable. */
    private static final String ANY_NAME = "/bin/sh -c 'exec \"$@\"' sh";

    private RunScript() {}

    /**
     * Where and as what the program runs.
     *
     * @param doors of the control group to enter
     * @param folder to be in
     * @param cores to be pinned to; empty = not
     * @param account to become; empty = the agent's
     * @param ownNetwork it sees no network but a loopback of its own
     * @param environment all that the program gets
     */
    record Surroundings(
            List<Path> doors,
            Path folder,
            NavigableSet<Integer> cores,
            Optional<String> account,
            boolean ownNetwork,
            Map<String, String> environment) {}

    /** The script's text; to be run in the task's folder by a process that leads no process group. */
    static String of(List<String> command, Surroundings around) {
        StringBuilder script = new StringBuilder();
        List<String> words = new ArrayList<>(List.of("setsid"));
        List<String> network = List.of("unshare", "--net", "sh", "-c", quote(LOOPBACK_UP), "sh");
        surround(script, words, around, network);
        if (command.get(0).indexOf('=') >= 0) {
            words.add(ANY_NAME);
        }
        command.forEach(word -> words.add(quote(word)));
        return finished(script, words);
    }

    /**
     * A script that does the same for another command, in the network of a task that runs: {@code LEADER COMMAND...}. On a terminal it stays in its session.
     */
    static String entry(Surroundings around) {
        StringBuilder script = new StringBuilder("leader=$1\nshift\n");
        // Looked at once this process can be seen to belong to the task: whoever proves later that nothing of it is
        // left sees this one too.
        orFail(script, "[ -d /proc/$leader ]", "the task has ended");
        script.append("session=setsid\n[ ! -t 0 ] || session=\n");
        List<String> words = new ArrayList<>(List.of("$session"));
        surround(script, words, around, List.of("nsenter", "--net=/proc/$leader/ns/net"));
        words.add(ANY_NAME);
        words.add("\"$@\"");
        return finished(script, words);
    }

    private static String finished(StringBuilder script, List<String> words) {
        return script.append("exec ")
                .append(String.join(" ", words))
                .append('\n')
                .toString();
    }

    /** @param network words that bring a program into the task's own network, if it has one */
    private static void surround(StringBuilder script, List<String> words, Surroundings around, List<String> network) {
        around.doors()
                .forEach(door -> orFail(script, "echo 0 >" + quote(door.toString()), "cannot enter its control group"));
        orFail(script, "cd " + quote(around.folder().toString()), "");
        if (!around.cores().isEmpty()) {
            words.addAll(List.of(
                    "taskset",
                    "-c",
                    String.join(
                            ",", around.cores().stream().map(Object::toString).toList())));
        }
        if (around.ownNetwork()) {
            words.addAll(network);
        }
        around.account().ifPresent(account -> {
            orFail(script, "group=$(id -g " + quote(account) + ")", "no such account: " + account);
            // Accounts' names need no quoting, and quoted they would not be looked up.
            script.append("home=~").append(account).append('\n');
            words.addAll(List.of("setpriv", "--reuid", quote(account), "--regid", "$group", "--init-groups"));
        });
        words.addAll(List.of("env", "-i", Tools.RESET_SIGNALS));
        if (around.account().isPresent()) {
            words.add("HOME=\"$home\"");
        }
        around.environment().forEach((name, value) -> words.add(quote(name + "=" + value)));
    }

    private static void orFail(StringBuilder script, String step, String remark) {
        script.append(step).append(" || ");
        if (remark.isEmpty()) {
            script.append("exit ").append(NOT_EXECUTABLE);
        } else {
            script.append("{ echo ")
                    .append(quote("surestate: " + remark))
                    .append(" >&2; exit ")
                    .append(NOT_EXECUTABLE)
                    .append("; }");
        }
        script.append('\n');
    }

    static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
