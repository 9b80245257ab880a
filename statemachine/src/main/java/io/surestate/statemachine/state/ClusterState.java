package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.Hold;
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
            0,
            0,
            ClusterMeta.getDefaultInstance(),
            JobTable.EMPTY,
            NodeTable.EMPTY,
            HoldTable.EMPTY,
            RequestTable.EMPTY);

    private final long revision;
    private final long term;
    private final ClusterMeta meta;
    private final JobTable jobs;
    private final NodeTable nodes;
    private final HoldTable holds;
    private final RequestTable requests;

    ClusterState(
            long revision,
            long term,
            ClusterMeta meta,
            JobTable jobs,
            NodeTable nodes,
            HoldTable holds,
            RequestTable requests) {
        this.revision = revision;
        this.term = term;
        this.meta = meta;
        this.jobs = jobs;
        this.nodes = nodes;
        this.holds = holds;
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

    /** How unlike accelerators compare. */
    public Accelerators accelerators() {
        return new Accelerators(meta.getAcceleratorsList());
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

    /** Running jobs that want more tasks than have joined, in the order of those that wait. */
    public SortedSet<PendingJob> growing() {
        return jobs.growing();
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

    /** Nodes on which the operator lets nothing new be placed, by name. */
    public List<NodeEntry> cordonedNodes() {
        return nodes.cordoned().stream().map(name -> node(name).orElseThrow()).toList();
    }

    /** Nodes that have devices on probation, by name. */
    public List<NodeEntry> nodesOnProbation() {
        return nodes.probation().stream().map(name -> node(name).orElseThrow()).toList();
    }

    /** Nodes with a greater name than the given one, by name. */
    public Collection<NodeEntry> nodesAfter(String name) {
        return nodes.byName().tailMap(name, false).values();
    }

    /** A live allocation. */
    public Optional<Allocation> allocation(String node, String id) {
        return node(node).flatMap(entry -> entry.allocation(id));
    }

    /** Allocations that a hold keeps, by node, then by id. */
    public List<Allocation> heldBy(String hold) {
        return owned(AllocationIndex.ofHold(hold));
    }

    /** Live allocations of a name, by node, then by id. */
    public List<Allocation> named(String tenant, String name) {
        return owned(AllocationIndex.ofName(tenant, name));
    }

    /** The nominations of a job that waits for its places to be emptied, by node, then by id. */
    public List<Allocation> nominatedFor(String jobUid) {
        return owned(AllocationIndex.ofNominatedJob(jobUid));
    }

    /** The spare places of a running job, by node, then by id. */
    public List<Allocation> sparesOf(String jobUid) {
        return owned(AllocationIndex.ofSpares(jobUid));
    }

    private List<Allocation> owned(String owner) {
        return nodes.byOwner().of(owner).stream()
                .map(entry -> allocation(entry.node(), entry.id()).orElseThrow())
                .toList();
    }

    /** A hold that stands, or ended not long ago. */
    public Optional<Hold> hold(String id) {
        return holds.hold(id);
    }

    /** Holds by id, which is by age. */
    public Collection<Hold> holds() {
        return holds.byId().values();
    }

    /** Holds with a greater id than the given one, by id. */
    public Collection<Hold> holdsAfter(String id) {
        return holds.byId().tailMap(id, false).values();
    }

    /** How many holds stand. */
    public int standingHolds() {
        return holds.standing();
    }

    /** Holds of a tenant that stand or are remembered. */
    public int holdsOf(String tenant) {
        return holds.countOf(tenant);
    }

    /** Cluster time at which the next hold expires or is forgotten; empty = there is none. */
    public OptionalLong earliestHoldMillis() {
        return holds.due().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(holds.due().first().millis());
    }

    /** Holds that are to expire or to be forgotten at this cluster time, the first due first. */
    public List<Hold> dueHolds(long timeMillis, int limit) {
        return holds.due().stream()
                .takeWhile(due -> due.millis() <= timeMillis)
                .limit(limit)
                .map(due -> holds.hold(due.id()).orElseThrow())
                .toList();
    }

    public Optional<RequestOutcome> outcome(RequestKey key) {
        return requests.outcome(key);
    }

    /** Outcomes kept for the key's tenant and principal. */
    public int outcomesOfOwner(RequestKey key) {
        return requests.countOf(key).outcomes();
    }

    /** Ids of acknowledged and sealed requests that are remembered for the key's tenant and principal. */
    public int usedIdsOfOwner(RequestKey key) {
        return requests.countOf(key).usedIds();
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
                jobs.nominated(),
                jobs.tasks(),
                nodes.byName().size(),
                nodes.allocations(),
                requests.byKey().size());
    }

    /** The same state at a later revision. */
    public ClusterState at(long newRevision, long newTerm) {
        Invariants.check(newRevision > revision, "revisions grow: %d after %d", newRevision, revision);
        return new ClusterState(newRevision, newTerm, meta, jobs, nodes, holds, requests);
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

    HoldTable holdTable() {
        return holds;
    }

    RequestTable requestTable() {
        return requests;
    }

    ClusterState with(ClusterMeta changed) {
        return new ClusterState(revision, term, changed, jobs, nodes, holds, requests);
    }

    ClusterState with(JobTable changed) {
        return new ClusterState(revision, term, meta, changed, nodes, holds, requests);
    }

    ClusterState with(NodeTable changed) {
        return new ClusterState(revision, term, meta, jobs, changed, holds, requests);
    }

    ClusterState with(HoldTable changed) {
        return new ClusterState(revision, term, meta, jobs, nodes, changed, requests);
    }

    ClusterState with(RequestTable changed) {
        return new ClusterState(revision, term, meta, jobs, nodes, holds, changed);
    }
}
