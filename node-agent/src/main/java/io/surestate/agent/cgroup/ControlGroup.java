package io.surestate.agent.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** One allocation's control group, there or not. Holds no state of its own: the kernel has it. Safe between threads. */
public interface ControlGroup {
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

    /** Whether it needed more memory than it may use, so that the kernel had to kill. */
    boolean memoryExhausted();

    /** Removes it if nothing is inside. True = it is not there any more. */
    boolean remove();
}
