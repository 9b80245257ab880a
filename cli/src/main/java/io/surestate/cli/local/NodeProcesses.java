package io.surestate.cli.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What an agent's node runs beside the agent: its keeper and the process trees of its tasks. They do not end with the agent, that is
 * their point; so whoever wants the whole node gone has to find them.
 */
final class NodeProcesses {
    private static final Path PROC = Path.of("/proc");
    private static final int SESSION_FIELD = 3;
    private static final int ROUNDS_MAX = 50;

    private final Path dataDir;

    /** @param dataDir the agent's */
    NodeProcesses(Path dataDir) {
        this.dataDir = dataDir;
    }

    /** {@code kill -9} for all of them, until none is left. */
    void kill() {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            Set<Long> found = find();
            if (found.isEmpty()) {
                return;
            }
            found.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        }
    }

    private Set<Long> find() {
        Set<Long> sessions = sessions();
        Optional<String> nodeId = read(dataDir.resolve("node-id")).filter(id -> !id.isBlank());
        Set<Long> found = new HashSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : entries) {
                if (belongs(process, sessions, nodeId)) {
                    found.add(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** By session, by the token in its environment, or as a keeper by its argument. */
    private boolean belongs(Path process, Set<Long> sessions, Optional<String> nodeId) {
        String stat = read(process.resolve("stat")).orElse("");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        if (fields.length <= SESSION_FIELD || fields[0].equals("Z") || fields[0].equals("X")) {
            return false;
        }
        if (sessions.contains(Long.parseLong(fields[SESSION_FIELD]))) {
            return true;
        }
        Optional<String> environment = read(process.resolve("environ"));
        if (nodeId.isPresent()
                && environment.isPresent()
                && environment.get().contains("SURESTATE_TOKEN=")
                && environment.get().contains(nodeId.get().strip())) {
            return true;
        }
        String keeper = dataDir.resolve("keeper").toAbsolutePath().toString();
        return read(process.resolve("cmdline"))
                .filter(line -> line.contains("\0" + keeper + "/") || line.contains("\0" + keeper + "\0"))
                .isPresent();
    }

    private Set<Long> sessions() {
        Set<Long> sessions = new HashSet<>();
        Path tasks = dataDir.resolve("tasks");
        if (!Files.isDirectory(tasks)) {
            return sessions;
        }
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(tasks)) {
            for (Path folder : folders) {
                read(folder.resolve("leader"))
                        .flatMap(NodeProcesses::liveLeader)
                        .ifPresent(sessions::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sessions;
    }

    /** The number may have gone to another process since: then the start time differs. A dead leader still names its session. */
    private static Optional<Long> liveLeader(String line) {
        String[] parts = line.strip().split(" ", -1);
        if (parts.length != 2 || !parts[0].matches("[0-9]{1,10}")) {
            return Optional.empty();
        }
        Optional<String> stat = read(PROC.resolve(parts[0]).resolve("stat"));
        boolean another = stat.isPresent() && !stat.get().contains(" " + parts[1] + " ");
        return another ? Optional.empty() : Optional.of(Long.parseLong(parts[0]));
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
