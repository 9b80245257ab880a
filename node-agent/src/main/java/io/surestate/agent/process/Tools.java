package io.surestate.agent.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Programs of the system that tasks are started with.
 *
 * @param missing needed ones that are not there
 * @param taskset tasks can be pinned to their cores
 */
public record Tools(List<String> missing, boolean taskset) {
    static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final List<String> NEEDED = List.of("sh", "setsid", "mkfifo", "split", "env", "cat", "mv", "grep");

    public Tools {
        missing = List.copyOf(missing);
    }

    /** Looks into the system's program folders. */
    public static Tools find() {
        return new Tools(NEEDED.stream().filter(name -> !isThere(name)).toList(), isThere("taskset"));
    }

    private static boolean isThere(String name) {
        return List.of(PATH.split(":")).stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }
}
