package io.surestate.agent.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** One allocation's control group, there or not. Holds no state of its own: the kernel has it. Safe between threads. */
public interface ControlGroup {
    /** What the kernel tells of a group's memory. */
    enum Shortage {
        NONE,
        /** It used all that it may: for its files, or because it needed that much. */
        MET,
        /** The kernel killed a process in it, because it needed more. */
        KILLED
    }

    /**
     * Makes it and sets its bounds, whatever was there before.
     *
     * @throws IOException if the kernel refuses; what was made is removed
     */
    void create(Bounds bounds) throws IOException;

    /** Files to which a process writes {@code 0} to enter. */
    List<Path> doors();

    /** Numbers of the processes inside, those of groups that a task made in it too; none where it is not there. */
    List<Long> processes() throws IOException;

    /** Nothing in it can fork from now on; where the kernel can, everything in it is killed at once. */
    void choke() throws IOException;

    /** How it stood with its memory. */
    Shortage shortage();

    /** Removes it if nothing is inside. True = it is not there any more. */
    boolean remove();
}
