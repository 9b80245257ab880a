package io.surestate.agent.process;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** What was started; as a script, what becomes the task. */
    Path journal() {
        return path.resolve("task.journal");
    }

    /** A script that brings a command into the task: {@code LEADER COMMAND...}. Tasks with an image have none. */
    Path entry() {
        return path.resolve("enter.sh");
    }

    /** The task's own working folder. */
    Path work() {
        return path.resolve("work");
    }

    /** Folder of the parts of both outputs. */
    public Path output() {
        return path.resolve("out");
    }

    /** Names the files through which its control group is entered and listed, one a line; not there = it has none. */
    Path doors() {
        return path.resolve("cgroup");
    }

    /** What an OCI runtime is given. */
    Path bundle() {
        return path.resolve("bundle");
    }

    /** Where the image's files appear to the task, in a mount namespace of its own. */
    Path rootfs() {
        return bundle().resolve("rootfs");
    }

    /** What the task changes of the image's files. */
    Path upper() {
        return path.resolve("upper");
    }

    /** The overlay's own. */
    Path overlayWork() {
        return path.resolve("overlay");
    }

    /** Names the image that the task runs from; not there = none. */
    Path image() {
        return path.resolve("image");
    }

    /** Made by whoever decides about the start: a file, its {@link LaunchRecord}, by the launcher, a folder by an agent that gave up. */
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
}
