package io.surestate.sim.batch;

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
}
