package io.surestate.statemachine.ledger;

import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.node.NodeConditions;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.NodeEntry;
import java.util.TreeSet;

/** What follows from a command's changes by itself, in the same command: conditions of the nodes it touched, and nominations. */
public final class Settlement {
    private Settlement() {}

    public static void settle(Draft draft) {
        TreeSet<String> changed = new TreeSet<>();
        TreeSet<String> freed = new TreeSet<>();
        for (Change change : draft.changes()) {
            if (change instanceof Change.NodePut put) {
                changed.add(put.node().getName());
            } else if (change instanceof Change.AllocationRemoved removed) {
                freed.add(removed.allocation().getNode());
            }
        }
        for (String name : freed) {
            if (NodeConditions.hasAny(entry(draft, name).node())) {
                changed.add(name);
            }
        }
        changed.forEach(name -> NodeConditions.refresh(draft, name));
        freed.addAll(changed);
        Nominations.settle(draft, freed);
    }

    private static NodeEntry entry(Draft draft, String name) {
        return draft.state().node(name).orElseThrow();
    }
}
