package io.surestate.server.node;

import io.surestate.server.apply.ApplyListeners;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.Change;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Names of nodes on which something changed since they were last asked for. Filled by the apply thread, drained by the leader loop. */
public final class TouchedNodes implements ApplyListeners {
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    @Override
    public void applied(List<AppliedEntry> entries) {
        for (AppliedEntry entry : entries) {
            for (Change change : entry.changes()) {
                touch(change);
            }
        }
    }

    private void touch(Change change) {
        if (change instanceof Change.TaskPut put && !put.task().getNode().isEmpty()) {
            names.add(put.task().getNode());
        } else if (change instanceof Change.AllocationPut put) {
            names.add(put.allocation().getNode());
        } else if (change instanceof Change.AllocationRemoved removed) {
            names.add(removed.allocation().getNode());
        }
    }

    @Override
    public void restored(StateView view) {
        names.clear();
    }

    List<String> drain() {
        List<String> drained = List.copyOf(names);
        drained.forEach(names::remove);
        return drained;
    }
}
