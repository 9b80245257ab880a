package io.surestate.server.watch;

import io.surestate.api.Names;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.WatchFilter;
import io.surestate.server.api.Problems;
import io.surestate.statemachine.state.Ids;

/**
 * What a watch filter lets through; all that it sets must fit. Tasks and events do not name their tenant, so it is looked up by their
 * job. Immutable.
 */
final class WatchScope {
    private final WatchFilter filter;
    private final JobTenants tenants;
    private final boolean everyKind;

    private WatchScope(WatchFilter filter, JobTenants tenants) {
        this.filter = filter;
        this.tenants = tenants;
        this.everyKind = !filter.getJobs() && !filter.getNodes() && !filter.getAllocations() && !filter.getHolds();
    }

    /** Refuses a filter that can never let anything through: it names what no name looks like, or asks for what has no such thing. */
    static WatchScope of(WatchFilter filter, JobTenants tenants) {
        if (!filter.getTenant().isEmpty()) {
            Problems.require(Names.subdomainProblem("filter.tenant", filter.getTenant()));
        }
        if (!filter.getNode().isEmpty()) {
            Problems.require(Names.subdomainProblem("filter.node", filter.getNode()));
        }
        String job = filter.getJobUid();
        if (!job.isEmpty() && !Ids.madeUpTo(job, Long.MAX_VALUE)) {
            throw Problems.invalid(Names.message("filter.jobUid", job, "uid of a job, not its name"));
        }
        WatchScope scope = new WatchScope(filter, tenants);
        scope.requireSomething();
        return scope;
    }

    private void requireSomething() {
        if (jobs() || allocations() || nodes() || holds()) {
            return;
        }
        String kind = filter.getNodes() ? "nodes" : "holds";
        String with = !filter.getJobUid().isEmpty() ? "jobUid" : filter.getNodes() ? "tenant" : "node";
        String why =
                filter.getNodes() ? "nodes are of no tenant and no job" : "holds are on no one node and of no one job";
        throw Problems.invalid("filter." + kind + ": beside filter." + with
                + " (expected: one of the two, or another kind as well, because " + why + ")");
    }

    /** Whether jobs, tasks or events may pass at all. */
    boolean jobs() {
        return everyKind || filter.getJobs();
    }

    /** Whether nodes may pass at all. */
    boolean nodes() {
        return (everyKind || filter.getNodes())
                && filter.getJobUid().isEmpty()
                && filter.getTenant().isEmpty();
    }

    /** Whether holds may pass at all: one is on no one node and of no one job. */
    private boolean holds() {
        return (everyKind || filter.getHolds())
                && filter.getJobUid().isEmpty()
                && filter.getNode().isEmpty();
    }

    /** Whether allocations may pass at all. */
    boolean allocations() {
        return everyKind || filter.getAllocations();
    }

    /** A job is on no node. */
    boolean passes(Job job) {
        return jobs() && filter.getNode().isEmpty() && ofJob(job.getUid()) && ofTenant(job.getTenant());
    }

    boolean passes(Task task) {
        return jobs() && onNode(task.getNode()) && ofJob(task.getJobUid()) && ofTenantOf(task.getJobUid());
    }

    boolean passes(JobEvent event) {
        return jobs() && onNode(event.getNode()) && ofJob(event.getJobUid()) && ofTenantOf(event.getJobUid());
    }

    boolean passes(Node node) {
        return passesNode(node.getName());
    }

    boolean passesNode(String name) {
        return nodes() && onNode(name);
    }

    boolean passes(Allocation allocation) {
        return allocations()
                && onNode(allocation.getNode())
                && ofJob(allocation.getTask().getJobUid())
                && ofTenant(allocation.getTenant());
    }

    boolean passes(Hold hold) {
        return holds() && ofTenant(hold.getTenant());
    }

    /** A node that may pass; empty = any. */
    String node() {
        return filter.getNode();
    }

    /** Uid of a job that may pass; empty = any. */
    String jobUid() {
        return filter.getJobUid();
    }

    private boolean ofTenant(String tenant) {
        return filter.getTenant().isEmpty() || filter.getTenant().equals(tenant);
    }

    private boolean ofTenantOf(String jobUid) {
        return filter.getTenant().isEmpty()
                || tenants.of(jobUid).map(this::ofTenant).orElse(false);
    }

    private boolean ofJob(String uid) {
        return filter.getJobUid().isEmpty() || filter.getJobUid().equals(uid);
    }

    private boolean onNode(String name) {
        return filter.getNode().isEmpty() || filter.getNode().equals(name);
    }
}
