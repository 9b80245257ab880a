package io.surestate.client;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.WatchEvent;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * What was live in the cluster at one revision, as far as the filter of its view goes. Immutable: any thread may keep and read it; two
 * pictures share what did not change between them.
 */
public final class ClusterPicture {
    private static final ClusterPicture EMPTY = new ClusterPicture(
            0, 0, TreePMap.empty(), TreePMap.empty(), TreePMap.empty(), TreePMap.empty(), TreePMap.empty());

    private final long revision;
    private final long timeMillis;
    private final TreePMap<String, Job> jobs;
    private final TreePMap<String, TreePMap<TaskKey, Task>> tasks;
    private final TreePMap<String, Node> nodes;
    private final TreePMap<String, TreePMap<String, Allocation>> allocations;
    private final TreePMap<String, Hold> holds;

    /** A member of a gang. */
    private record TaskKey(String group, int index) implements Comparable<TaskKey> {
        @Override
        public int compareTo(TaskKey other) {
            int byGroup = group.compareTo(other.group);
            return byGroup != 0 ? byGroup : Integer.compare(index, other.index);
        }
    }

    private ClusterPicture(
            long revision,
            long timeMillis,
            TreePMap<String, Job> jobs,
            TreePMap<String, TreePMap<TaskKey, Task>> tasks,
            TreePMap<String, Node> nodes,
            TreePMap<String, TreePMap<String, Allocation>> allocations,
            TreePMap<String, Hold> holds) {
        this.revision = revision;
        this.timeMillis = timeMillis;
        this.jobs = jobs;
        this.tasks = tasks;
        this.nodes = nodes;
        this.allocations = allocations;
        this.holds = holds;
    }

    static ClusterPicture empty() {
        return EMPTY;
    }

    /** Plans that were made from this say so in {@code seen_revision}. */
    public long revision() {
        return revision;
    }

    /** Cluster time of the revision; 0 = not known. */
    public long timeMillis() {
        return timeMillis;
    }

    /** Live jobs, oldest first. */
    public Collection<Job> jobs() {
        return jobs.values();
    }

    public Optional<Job> job(String uid) {
        return Optional.ofNullable(jobs.get(uid));
    }

    /** Tasks of a live job's newest attempt, by group name, then by index. */
    public Collection<Task> tasks(String jobUid) {
        TreePMap<TaskKey, Task> ofJob = tasks.get(jobUid);
        return ofJob == null ? List.of() : ofJob.values();
    }

    /** Nodes by name. */
    public Collection<Node> nodes() {
        return nodes.values();
    }

    public Optional<Node> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** What is held on a node, oldest first; everything in here counts against the node. */
    public Collection<Allocation> allocations(String node) {
        TreePMap<String, Allocation> onNode = allocations.get(node);
        return onNode == null ? List.of() : onNode.values();
    }

    /** Holds that stand, oldest first. */
    public Collection<Hold> holds() {
        return holds.values();
    }

    public Optional<Hold> hold(String id) {
        return Optional.ofNullable(holds.get(id));
    }

    ClusterPicture at(long newRevision, long newTimeMillis) {
        return new ClusterPicture(newRevision, newTimeMillis, jobs, tasks, nodes, allocations, holds);
    }

    ClusterPicture with(List<WatchEvent> events) {
        ClusterPicture changed = this;
        for (WatchEvent event : events) {
            changed = changed.with(event);
        }
        return changed;
    }

    private ClusterPicture with(WatchEvent event) {
        return switch (event.getChangeCase()) {
            case JOB -> withJobs(jobs.plus(event.getJob().getUid(), event.getJob()), tasks);
            case JOB_REMOVED -> withJobs(jobs.minus(event.getJobRemoved()), tasks.minus(event.getJobRemoved()));
            case TASK -> withJobs(jobs, plus(event.getTask()));
            case NODE -> withNodes(nodes.plus(event.getNode().getName(), event.getNode()));
            case NODE_REMOVED -> withNodes(nodes.minus(event.getNodeRemoved()));
            case ALLOCATION -> withAllocations(plus(event.getAllocation()));
            case ALLOCATION_RELEASED -> withAllocations(minus(event.getAllocationReleased()));
            case HOLD -> withHolds(changed(event.getHold()));
            // Events are told, not kept; what this version does not know it cannot show.
            case JOB_EVENT, CHANGE_NOT_SET -> this;
        };
    }

    private TreePMap<String, TreePMap<TaskKey, Task>> plus(Task task) {
        TreePMap<TaskKey, Task> ofJob = tasks.getOrDefault(task.getJobUid(), TreePMap.empty());
        return tasks.plus(task.getJobUid(), ofJob.plus(new TaskKey(task.getGroup(), task.getIndex()), task));
    }

    private TreePMap<String, TreePMap<String, Allocation>> plus(Allocation allocation) {
        TreePMap<String, Allocation> onNode = allocations.getOrDefault(allocation.getNode(), TreePMap.empty());
        return allocations.plus(allocation.getNode(), onNode.plus(allocation.getId(), allocation));
    }

    private TreePMap<String, TreePMap<String, Allocation>> minus(Allocation allocation) {
        TreePMap<String, Allocation> onNode =
                allocations.getOrDefault(allocation.getNode(), TreePMap.empty()).minus(allocation.getId());
        return onNode.isEmpty()
                ? allocations.minus(allocation.getNode())
                : allocations.plus(allocation.getNode(), onNode);
    }

    private TreePMap<String, Hold> changed(Hold hold) {
        return hold.getState() == HoldState.HOLD_STATE_STANDING
                ? holds.plus(hold.getId(), hold)
                : holds.minus(hold.getId());
    }

    private ClusterPicture withJobs(TreePMap<String, Job> newJobs, TreePMap<String, TreePMap<TaskKey, Task>> newTasks) {
        return new ClusterPicture(revision, timeMillis, newJobs, newTasks, nodes, allocations, holds);
    }

    private ClusterPicture withNodes(TreePMap<String, Node> newNodes) {
        return new ClusterPicture(revision, timeMillis, jobs, tasks, newNodes, allocations, holds);
    }

    private ClusterPicture withAllocations(TreePMap<String, TreePMap<String, Allocation>> newAllocations) {
        return new ClusterPicture(revision, timeMillis, jobs, tasks, nodes, newAllocations, holds);
    }

    private ClusterPicture withHolds(TreePMap<String, Hold> newHolds) {
        return new ClusterPicture(revision, timeMillis, jobs, tasks, nodes, allocations, newHolds);
    }
}
