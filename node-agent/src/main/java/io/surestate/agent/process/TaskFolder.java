package io.surestate.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One allocation's folder and what its files mean. The launcher and the keeper (both shell) read and write here too.
 *
 * @param path absolute
 */
public record TaskFolder(Path path) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,63}");

    /** Whether an allocation id may name a folder. */
    static boolean isId(String allocationId) {
        return ID.matcher(allocationId).matches();
    }

    String id() {
        return path.getFileName().toString();
    }

    Path journal() {
        return path.resolve("task.journal");
    }

    /** What becomes the task. */
    Path script() {
        return path.resolve("run.sh");
    }

    /** The task's own working folder. */
    Path work() {
        return path.resolve("work");
    }

    /** Folder of the parts of both outputs. */
    public Path output() {
        return path.resolve("out");
    }

    /** Made by whoever decides about the start: a file by the launcher that goes on, a folder by an agent that gave it up. */
    Path claim(String incarnation) {
        return path.resolve("claim-" + incarnation);
    }

    /** Gives the start up, if the launcher has not gone on yet. True proves that it has not run and never will. */
    boolean winClaim(String incarnation) throws IOException {
        Path claim = claim(incarnation);
        try {
            Files.createDirectories(path);
            Files.createDirectory(claim);
            return true;
        } catch (FileAlreadyExistsException e) {
            return Files.isDirectory(claim);
        }
    }

    /** Who waits for the task and copies its outputs; written as soon as the claim is won. */
    Optional<ProcessId> launcher() throws IOException {
        return line("launcher").flatMap(ProcessId::parse);
    }

    /** The task's program, which leads its session; written just before it becomes that. */
    Optional<ProcessId> leader() throws IOException {
        return line("leader").flatMap(ProcessId::parse);
    }

    /** How the task's program ended, once it has. */
    Optional<Exit> exit() throws IOException {
        return line("exit").flatMap(Exit::parse);
    }

    /** A stop was asked for; kept on disk so that a later agent knows why the task ended. */
    Path stopMark() {
        return path.resolve("stop");
    }

    /** The keeper or the agent killed it at the end of the lease. */
    Path fenceMark() {
        return path.resolve("fenced");
    }

    /** Its launcher died in the middle of the start, which must not go on. */
    Path voidMark() {
        return path.resolve("void");
    }

    /** What the journal becomes when the task is forgotten; the last thing to be removed, so that a crash leaves no litter. */
    Path endedMark() {
        return path.resolve("ended");
    }

    void mark(Path mark) throws IOException {
        if (!Files.exists(mark)) {
            Files.createFile(mark);
        }
    }

    private Optional<String> line(String name) throws IOException {
        try {
            String text = Files.readString(path.resolve(name), StandardCharsets.US_ASCII);
            return text.endsWith("\n") ? Optional.of(text.strip()) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
