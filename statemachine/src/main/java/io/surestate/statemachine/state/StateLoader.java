package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Task;
import io.surestate.log.v1.RequestOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Builds a state from stored entities, jobs before tasks and nodes before allocations. Used by one thread, once. */
public final class StateLoader {
    private final TreeMap<String, Job> jobs = new TreeMap<>();
    private final TreeMap<String, List<Task>> tasks = new TreeMap<>();
    private ClusterMeta meta = ClusterMeta.getDefaultInstance();
    private NodeTable nodes = NodeTable.EMPTY;
    private HoldTable holds = HoldTable.EMPTY;
    private RequestTable requests = RequestTable.EMPTY;

    public void add(ClusterMeta stored) {
        meta = stored;
    }

    public void add(Job job) {
        jobs.put(job.getUid(), job);
    }

    public void add(Task task) {
        tasks.computeIfAbsent(task.getJobUid(), uid -> new ArrayList<>()).add(task);
    }

    public void add(Node node) {
        nodes = nodes.with(node);
    }

    public void add(Allocation allocation) {
        nodes = nodes.withLoaded(allocation);
    }

    public void add(Hold hold) {
        holds = holds.with(hold);
    }

    public void add(RequestOutcome outcome) {
        requests = requests.with(outcome);
    }

    public ClusterState build(long revision, long term) {
        JobTable table = JobTable.EMPTY;
        for (Job job : jobs.values()) {
            table = table.with(JobEntry.loaded(job, tasks.getOrDefault(job.getUid(), List.of())));
        }
        return new ClusterState(revision, term, meta, table, nodes, holds, requests);
    }
}
