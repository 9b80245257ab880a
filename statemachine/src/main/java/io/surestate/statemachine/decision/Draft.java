package io.surestate.statemachine.decision;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Task;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.Ids;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One command's changes while they are being decided: each takes effect on the draft's state at once, so that what follows sees
 * it, and on nothing else. A draft that is dropped changed nothing. Used by one thread within one decision.
 */
public final class Draft {
    private final ApplyContext context;
    private final List<Change> changes = new ArrayList<>();
    private ClusterState state;
    private int nextOrdinal;

    public Draft(ClusterState state, ApplyContext context) {
        this.state = state;
        this.context = context;
        this.nextOrdinal = context.firstOrdinal();
    }

    /** The state with the changes made so far. */
    public ClusterState state() {
        return state;
    }

    /** Log index of the entry: the revision of everything it writes. */
    public long index() {
        return context.index();
    }

    /** Cluster time of the entry. */
    public long timeMillis() {
        return context.timeMillis();
    }

    /** All changes made so far; grows with the draft. */
    public List<Change> changes() {
        return Collections.unmodifiableList(changes);
    }

    /** Ordinal of the next id that the entry makes. */
    public int nextOrdinal() {
        return nextOrdinal;
    }

    public String nextId() {
        return Ids.of(index(), nextOrdinal++);
    }

    public void add(Change change) {
        state = state.apply(change);
        changes.add(change);
    }

    public Task put(Task.Builder task) {
        Task done = task.setRevision(index()).build();
        add(new Change.TaskPut(done));
        return done;
    }

    public Node put(Node.Builder node) {
        Node done = node.setRevision(index()).build();
        add(new Change.NodePut(done));
        return done;
    }

    public Allocation put(Allocation.Builder allocation) {
        Allocation done = allocation.setRevision(index()).build();
        add(new Change.AllocationPut(done));
        return done;
    }

    public Hold put(Hold.Builder hold) {
        Hold done = hold.setRevision(index()).build();
        add(new Change.HoldPut(done));
        return done;
    }

    /** Moves a live allocation to another state. */
    public Allocation move(Allocation allocation, AllocationState to, String reason) {
        return put(allocation.toBuilder().setState(to).setReason(reason).setChangedMillis(timeMillis()));
    }

    /** Takes an allocation out of the ledger: what it held is free. */
    public void release(Allocation allocation, String reason) {
        add(new Change.AllocationRemoved(allocation.toBuilder()
                .setState(AllocationState.ALLOCATION_STATE_RELEASED)
                .setReason(reason)
                .setChangedMillis(timeMillis())
                .setRevision(index())
                .build()));
    }

    /** A draft of a part that may still be dropped; {@link #take} makes it count. */
    public Draft branch() {
        return new Draft(state, new ApplyContext(context.index(), context.term(), context.timeMillis(), nextOrdinal));
    }

    /** Takes over everything that a branch of this very draft changed. */
    public void take(Draft branch) {
        state = branch.state;
        nextOrdinal = branch.nextOrdinal;
        changes.addAll(branch.changes);
    }
}
