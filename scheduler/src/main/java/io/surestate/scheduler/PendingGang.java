package io.surestate.scheduler;

import io.surestate.api.v1.JobSpec;
import java.util.List;

/**
 * A job attempt that waits for its places, or one that runs and wants more.
 *
 * @param ways what is asked for: the first of these that fits is placed; none = it waits
 * @param joined the tasks that have their places and stay; empty = it waits for all
 * @param mayTakeKept whether it may have nodes that the view keeps
 */
public record PendingGang(
        String jobUid, long generation, int attempt, List<JobSpec> ways, List<Joined> joined, boolean mayTakeKept) {
    public PendingGang {
        ways = List.copyOf(ways);
        joined = List.copyOf(joined);
    }

    /** A gang that waits for all of its places. */
    public PendingGang(String jobUid, long generation, int attempt, JobSpec spec) {
        this(jobUid, generation, attempt, List.of(spec), List.of(), true);
    }

    /** A task that has its place. */
    public record Joined(String group, int index, String node) {}
}
