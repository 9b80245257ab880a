package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Cordon;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.job.Departure;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Drains that are over by time: what is still there is stopped, whether it has another place or not. */
public final class Drains {
    private Drains() {}

    /** Whether something on a drained node has stayed until the deadline. */
    public static boolean anyDue(ClusterState state, long timeMillis) {
        return state.cordonedNodes().stream()
                .filter(entry -> isDue(entry, timeMillis))
                .anyMatch(entry -> entry.allocations().stream().anyMatch(Drains::stays));
    }

    /** Whether a deadline is to come for something. */
    public static boolean anyPending(ClusterState state, long timeMillis) {
        return state.cordonedNodes().stream()
                .filter(entry -> entry.node().getStatus().getCordon().getDeadlineMillis() > timeMillis)
                .anyMatch(entry -> !entry.allocations().isEmpty());
    }

    /** Why a drained node is left. */
    public static String reason(NodeEntry drained) {
        String why = drained.node().getStatus().getCordon().getReason();
        return "node " + drained.node().getName() + " is drained" + (why.isEmpty() ? "" : ": " + why);
    }

    /** Stops what has stayed until the deadline: names, and gangs as planned; so many owners at most, the rest at the next Tick. */
    public static void endDue(Draft draft, int limit) {
        TreeMap<String, List<Allocation>> owners = new TreeMap<>();
        draft.state().cordonedNodes().stream()
                .filter(entry -> isDue(entry, draft.timeMillis()))
                .flatMap(entry -> entry.allocations().stream())
                .filter(Drains::stays)
                .forEach(place -> owners.computeIfAbsent(owner(place), any -> new ArrayList<>())
                        .add(place));
        owners.values().stream().limit(limit).forEach(places -> end(draft, places));
    }

    /** On this node. */
    private static String owner(Allocation place) {
        return place.getNode() + "/" + (place.hasTask() ? place.getTask().getJobUid() : place.getId());
    }

    private static void end(Draft draft, List<Allocation> places) {
        Allocation first = places.get(0);
        String reason = reason(draft.state().node(first.getNode()).orElseThrow()) + "; its deadline is over";
        if (!first.hasTask()) {
            draft.move(first, AllocationState.ALLOCATION_STATE_RELEASING, "evicted: " + reason);
            return;
        }
        JobEntry gang = draft.state().job(first.getTask().getJobUid()).orElseThrow();
        Departure.now(
                draft,
                places.stream()
                        .map(place -> gang.task(
                                        place.getTask().getGroup(),
                                        place.getTask().getIndex())
                                .orElseThrow())
                        .toList(),
                reason);
    }

    private static boolean isDue(NodeEntry entry, long timeMillis) {
        Cordon cordon = entry.node().getStatus().getCordon();
        return cordon.getDrain() && cordon.getDeadlineMillis() != 0 && cordon.getDeadlineMillis() <= timeMillis;
    }

    private static boolean stays(Allocation place) {
        return place.getState() == AllocationState.ALLOCATION_STATE_BOUND;
    }
}
