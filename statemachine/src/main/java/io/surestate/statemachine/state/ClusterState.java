package io.surestate.statemachine.state;

import io.surestate.api.v1.ClusterMeta;
import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.RequestOutcome;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;

/** Everything that is live in the cluster at one revision, as one immutable value. Any thread may keep and read it. */
public final class ClusterState {
    private static final ClusterState EMPTY = new ClusterState(
            0, 0, ClusterMeta.getDefaultInstance(), JobTable.EMPTY, NodeTable.EMPTY, RequestTable.EMPTY);

    private final long revision;
    private final long term;
    private final ClusterMeta meta;
    private final JobTable jobs;
    private final NodeTable nodes;
    private final RequestTable requests;

    ClusterState(long revision, long term, ClusterMeta meta, JobTable jobs, NodeTable nodes, RequestTable requests) {
        this.revision = revision;
        this.term = term;
        this.meta = meta;
        this.jobs = jobs;
        this.nodes = nodes;
        this.requests = requests;
    }

    /** Before the first entry. */
    public static ClusterState empty() {
        return EMPTY;
    }

    /** Log index of the last applied entry; 0 = none. */
    public long revision() {
        return revision;
    }

    /** Term of the last applied entry. */
    public long term() {
        return term;
    }

    public ClusterMeta meta() {
        return meta;
    }

    /** Whether the cluster's first command was applied. */
    public boolean initialised() {
        return !meta.getClusterId().isEmpty();
    }

    public Optional<JobEntry> job(String uid) {
        return jobs.job(uid);
    }

    public Optional<JobEntry> liveJob(String tenant, String name) {
        return jobs.named(tenant, name);
    }

    /** Live jobs by uid, which is by age. */
    public Collection<JobEntry> jobs() {
        return jobs.byUid().values();
    }

    /** Live jobs with a greater uid than the given one, by uid. */
    public Collection<JobEntry> jobsAfter(String uid) {
        return jobs.byUid().tailMap(uid, false).values();
    }

    /** Jobs that wait to be placed, in their order. */
    public SortedSet<PendingJob> pending() {
        return jobs.pending();
    }

    public Optional<NodeEntry> node(String name) {
        return nodes.node(name);
    }

    /** The node that last registered with this id. */
    public Optional<NodeEntry> nodeWithId(String id) {
        return nodes.withId(id);
    }

    /** Nodes by name. */
    public Collection<NodeEntry> nodes() {
        return nodes.byName().values();
    }

    /** Nodes with a greater name than the given one, by name. */
    public Collection<NodeEntry> nodesAfter(String name) {
        return nodes.byName().tailMap(name, false).values();
    }

    public Optional<RequestOutcome> outcome(RequestKey key) {
        return requests.outcome(key);
    }

    /** Outcomes kept for the key's tenant and principal. */
    public int outcomesOfOwner(RequestKey key) {
        return requests.countOf(key);
    }

    /** Cluster time at which the next outcome may be forgotten; empty = there is none. */
    public OptionalLong earliestExpiryMillis() {
        return requests.expiries().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(requests.expiries().first().millis());
    }

    /** Keys of outcomes that expired at or before this cluster time, oldest first. */
    public List<RequestKey> expiredOutcomes(long timeMillis, int limit) {
        return requests.expiries().stream()
                .takeWhile(expiry -> expiry.millis() <= timeMillis)
                .limit(limit)
                .map(RequestTable.Expiry::key)
                .toList();
    }

    public Counts counts() {
        return new Counts(
                jobs.pending().size(),
                jobs.running(),
                jobs.stopping(),
                jobs.tasks(),
                nodes.byName().size(),
                nodes.allocations(),
                requests.byKey().size());
    }

    /** The same state at a later revision. */
    public ClusterState at(long newRevision, long newTerm) {
        Invariants.check(newRevision > revision, "revisions grow: %d after %d", newRevision, revision);
        return new ClusterState(newRevision, newTerm, meta, jobs, nodes, requests);
    }

    public ClusterState apply(Change change) {
        return change.accept(new StateChange(this));
    }

    public ClusterState apply(List<Change> changes) {
        ClusterState state = this;
        for (Change change : changes) {
            state = state.apply(change);
        }
        return state;
    }

    JobTable jobTable() {
        return jobs;
    }

    NodeTable nodeTable() {
        return nodes;
    }

    RequestTable requestTable() {
        return requests;
    }

    ClusterState with(ClusterMeta changed) {
        return new ClusterState(revision, term, changed, jobs, nodes, requests);
    }

    ClusterState with(JobTable changed) {
        return new ClusterState(revision, term, meta, changed, nodes, requests);
    }

    ClusterState with(NodeTable changed) {
        return new ClusterState(revision, term, meta, jobs, changed, requests);
    }

    ClusterState with(RequestTable changed) {
        return new ClusterState(revision, term, meta, jobs, nodes, changed);
    }
}
