package io.surestate.agent.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Programs of the system that tasks are started with.
 *
 * @param missing needed ones that are not there
 * @param taskset tasks can be pinned to their cores
 * @param privileged the agent runs as root and has what it takes to make use of that
 */
public record Tools(List<String> missing, boolean taskset, boolean privileged) {
    static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    /** What {@code env} is told so that a program does not inherit that a shell's children in the background ignore these. */
    static final String RESET_SIGNALS = "--default-signal=INT,QUIT";

    private static final List<String> OF_ROOT = List.of("setpriv", "unshare", "id");
    private static final List<String> NEEDED = List.of("sh", "setsid", "mkfifo", "split", "env", "cat", "mv", "grep");

    public Tools {
        missing = List.copyOf(missing);
    }

    /** Looks into the system's program folders. */
    public static Tools find() {
        List<String> missing =
                new ArrayList<>(NEEDED.stream().filter(name -> !isThere(name)).toList());
        if (missing.isEmpty() && !resetsSignals()) {
            missing.add("env with --default-signal (GNU coreutils 8.31 or later)");
        }
        boolean root = "root".equals(System.getProperty("user.name"));
        return new Tools(missing, isThere("taskset"), root && OF_ROOT.stream().allMatch(Tools::isThere));
    }

    private static boolean resetsSignals() {
        try {
            return new ProcessBuilder("env", RESET_SIGNALS, "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException cannotRun) {
            return false;
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean isThere(String name) {
        return path(name).isPresent();
    }

    /** Where a program is, by its name in the system's program folders or by its absolute path. */
    static Optional<Path> path(String name) {
        return List.of(PATH.split(":", -1)).stream()
                .map(folder -> Path.of(folder).resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
