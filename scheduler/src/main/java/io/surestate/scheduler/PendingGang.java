package io.surestate.scheduler;

import io.surestate.api.v1.JobSpec;
import java.util.List;

/**
 * A job attempt that waits for its places, or one that runs and wants more.
 *
 * @param joined the tasks that have their places and stay; empty = it waits for all
 */
public record PendingGang(String jobUid, long generation, int attempt, JobSpec spec, List<Joined> joined) {
    public PendingGang {
        joined = List.copyOf(joined);
    }

    /** A gang that waits for all of its places. */
    public PendingGang(String jobUid, long generation, int attempt, JobSpec spec) {
        this(jobUid, generation, attempt, spec, List.of());
    }

    /** A task that has its place. */
    public record Joined(String group, int index, String node) {}
}
