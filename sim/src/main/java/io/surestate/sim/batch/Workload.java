package io.surestate.sim.batch;

import io.surestate.sim.trace.TraceException;
import java.nio.file.Path;
import java.util.List;

/**
 * Jobs that can be replayed, and the machine.
 *
 * @param processors of the machine, at least as many as the widest job needs
 * @param dropped jobs of the trace that cannot be replayed
 * @param assumptions what was supposed where the trace says nothing, for people
 */
public record Workload(JobLog log, int processors, long dropped, List<String> assumptions) {
    public Workload {
        assumptions = List.copyOf(assumptions);
    }

    /**
     * What was read from a file.
     *
     * @throws TraceException there is no job
     */
    public static Workload of(Path file, JobLog log, int processors, long dropped, List<String> assumptions) {
        if (log.size() == 0) {
            throw new TraceException(
                    file + ": no job that can be replayed on " + processors + " processors (expected: at least one)");
        }
        return new Workload(log, processors, dropped, assumptions);
    }
}
