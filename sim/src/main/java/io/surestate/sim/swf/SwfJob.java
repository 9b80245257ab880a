package io.surestate.sim.swf;

/**
 * One line of a log, in its own terms: times in seconds, {@value #UNKNOWN} where the log does not know.
 *
 * @param allocated processors that it got
 * @param processors that it asked for
 * @param seconds run time that it asked for
 */
public record SwfJob(long submit, long run, int allocated, int processors, long seconds, int user) {
    public static final int UNKNOWN = -1;
}
