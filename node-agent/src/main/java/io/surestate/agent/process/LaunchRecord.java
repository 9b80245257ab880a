package io.surestate.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What launcher and task have written down so far, each line at once.
 *
 * @param launcher who waits for the task and copies its outputs
 * @param leader the task's program, which leads its session; named just before it becomes that
 * @param exit how the program ended
 */
record LaunchRecord(Optional<ProcessId> launcher, Optional<ProcessId> leader, Optional<Exit> exit) {
    static final LaunchRecord NONE = new LaunchRecord(Optional.empty(), Optional.empty(), Optional.empty());

    /** Reads the claim that a launcher won; nothing is known from one that nobody or an agent won. */
    static LaunchRecord read(Path claim) throws IOException {
        String text;
        try {
            if (Files.isDirectory(claim)) {
                return NONE;
            }
            text = Files.readString(claim, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            return NONE;
        }
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        return new LaunchRecord(
                line(whole, "launcher ").flatMap(ProcessId::parse),
                line(whole, "leader ").flatMap(ProcessId::parse),
                line(whole, "exit ").flatMap(Exit::parse));
    }

    /** The claim in this folder that a launcher won; there is one at most. */
    static Optional<Path> find(TaskFolder folder) throws IOException {
        try (DirectoryStream<Path> claims = Files.newDirectoryStream(folder.path(), "claim-*")) {
            for (Path claim : claims) {
                if (Files.isRegularFile(claim)) {
                    return Optional.of(claim);
                }
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static Optional<String> line(String text, String kind) {
        return text.lines()
                .filter(line -> line.startsWith(kind))
                .map(line -> line.substring(kind.length()))
                .findFirst();
    }
}
