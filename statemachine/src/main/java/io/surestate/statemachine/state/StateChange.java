package io.surestate.statemachine.state;

/** What each change makes of a state. */
record StateChange(ClusterState state) implements Change.Visitor<ClusterState> {
    @Override
    public ClusterState meta(Change.MetaPut change) {
        return state.with(change.meta());
    }

    @Override
    public ClusterState job(Change.JobPut change) {
        return state.with(state.jobTable().with(change.job()));
    }

    @Override
    public ClusterState jobFinished(Change.JobFinished change) {
        JobEntry entry = state.job(change.job().getUid()).orElseThrow();
        return state.with(state.jobTable().without(entry));
    }

    @Override
    public ClusterState jobEvent(Change.JobEventAppended change) {
        return state;
    }

    @Override
    public ClusterState task(Change.TaskPut change) {
        return state.with(state.jobTable().with(change.task()));
    }

    @Override
    public ClusterState taskArchived(Change.TaskArchived change) {
        return state;
    }

    @Override
    public ClusterState node(Change.NodePut change) {
        return state.with(state.nodeTable().with(change.node()));
    }

    @Override
    public ClusterState nodeRemoved(Change.NodeRemoved change) {
        return state.with(state.nodeTable().without(change.name()));
    }

    @Override
    public ClusterState allocation(Change.AllocationPut change) {
        return state.with(state.nodeTable().with(change.allocation()));
    }

    @Override
    public ClusterState allocationRemoved(Change.AllocationRemoved change) {
        return state.with(state.nodeTable().without(change.allocation()));
    }

    @Override
    public ClusterState hold(Change.HoldPut change) {
        return state.with(state.holdTable().with(change.hold()));
    }

    @Override
    public ClusterState holdRemoved(Change.HoldRemoved change) {
        return state.with(state.holdTable().without(change.id()));
    }

    @Override
    public ClusterState outcome(Change.OutcomePut change) {
        return state.with(state.requestTable().with(change.outcome()));
    }

    @Override
    public ClusterState outcomeRemoved(Change.OutcomeRemoved change) {
        return state.with(state.requestTable().without(change.key()));
    }
}
