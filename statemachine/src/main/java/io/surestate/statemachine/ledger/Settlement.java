package io.surestate.statemachine.ledger;

import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.NodeState;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.node.NodeConditions;
import io.surestate.statemachine.state.AllocationStates;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.NodeEntry;
import java.util.Set;
import java.util.TreeSet;

/** What follows from a command's changes by itself, in the same command: conditions of the nodes it touched, and nominations. */
public final class Settlement {
    private Settlement() {}

    public static void settle(Draft draft) {
        changedNodes(draft).forEach(name -> {
            endHoldsOnFenced(draft, name);
            dropUselessSpares(draft, name);
        });
        Set<String> freed = freedNodes(draft);
        Set<String> changed = changedNodes(draft);
        for (String name : freed) {
            if (NodeConditions.hasAny(entry(draft, name).node())) {
                changed.add(name);
            }
        }
        changed.forEach(name -> NodeConditions.refresh(draft, name));
        freed.addAll(changed);
        freed.addAll(awaitedNodes(draft));
        Nominations.settle(draft, freed);
    }

    /** Names of the nodes that were put, in order. */
    private static Set<String> changedNodes(Draft draft) {
        Set<String> names = new TreeSet<>();
        for (Change change : draft.changes()) {
            if (change instanceof Change.NodePut put) {
                names.add(put.node().getName());
            }
        }
        return names;
    }

    /** Names of the nodes on which something was freed, in order. */
    private static Set<String> freedNodes(Draft draft) {
        Set<String> names = new TreeSet<>();
        for (Change change : draft.changes()) {
            if (change instanceof Change.AllocationRemoved removed) {
                names.add(removed.allocation().getNode());
            }
        }
        return names;
    }

    /** Names of the nodes on which jobs that began to wait have their promised places, in order: all of these may be empty by now. */
    private static Set<String> awaitedNodes(Draft draft) {
        Set<String> names = new TreeSet<>();
        for (Change change : draft.changes()) {
            if (change instanceof Change.JobPut put
                    && put.job().getStatus().getPhase() == JobPhase.JOB_PHASE_NOMINATED) {
                draft.state().nominatedFor(put.job().getUid()).forEach(place -> names.add(place.getNode()));
            }
        }
        return names;
    }

    /** A hold with a place on a machine that has no power keeps nothing worth confirming. */
    private static void endHoldsOnFenced(Draft draft, String name) {
        if (entry(draft, name).node().getStatus().getFencedMillis() == 0) {
            return;
        }
        TreeSet<String> holds = new TreeSet<>();
        entry(draft, name).allocations().stream()
                .filter(place -> !place.getHold().isEmpty())
                .filter(place -> place.getState() == AllocationState.ALLOCATION_STATE_HELD)
                .forEach(place -> holds.add(place.getHold()));
        for (String hold : holds) {
            Holds.free(draft, draft.state().hold(hold).orElseThrow(), HoldState.HOLD_STATE_RELEASED);
        }
    }

    /** A spare place on a node that is given up, or is to become empty, is no place to move to. */
    private static void dropUselessSpares(Draft draft, String name) {
        NodeEntry node = entry(draft, name);
        boolean lost = node.node().getStatus().getState() == NodeState.NODE_STATE_LOST;
        if (lost || node.draining()) {
            node.allocations().stream()
                    .filter(AllocationStates::isSpare)
                    .forEach(place -> draft.release(place, "node " + name + (lost ? " lost" : " is drained")));
        }
    }

    private static NodeEntry entry(Draft draft, String name) {
        return draft.state().node(name).orElseThrow();
    }
}
