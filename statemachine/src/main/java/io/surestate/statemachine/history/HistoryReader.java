package io.surestate.statemachine.history;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import java.util.List;
import java.util.Optional;

/**
 * Reads history as it was at one revision: what was written later is not seen. Any thread; reads the store, so never call it
 * from the apply thread. After the store is closed every call throws {@link IllegalStateException}.
 */
public interface HistoryReader {
    /** A finished job. */
    Optional<Job> job(String uid);

    /** The newest finished job that had this name. */
    Optional<Job> latest(String tenant, String name);

    /** Finished jobs, the last submitted first, with a smaller uid than the given one; empty = from the newest on. */
    List<Job> jobsBefore(String uid, int limit);

    /**
     * Archived tasks of a job, live or finished: by attempt, group name, index; those after the given one.
     *
     * @param after the last one of the page before; the default instance = from the first on
     */
    List<Task> tasks(String jobUid, TaskRef after, int limit);

    /** Lines of a job's history, live or finished, from this ordinal (the first is 0) on. */
    List<JobEvent> events(String jobUid, int fromOrdinal, int limit);

    /** How an allocation changed, the earlier first. */
    List<Allocation> changesOf(String allocation, int limit);

    /** Ids of the allocations that ever were on a node, the older first, greater than the given one; empty = from the first on. */
    List<String> allocationsOfNode(String node, String after, int limit);

    /** As {@link #allocationsOfNode}, of a job, nominations and held ones included. */
    List<String> allocationsOfJob(String uid, String after, int limit);
}
