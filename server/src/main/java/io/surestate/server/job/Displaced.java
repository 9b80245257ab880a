package io.surestate.server.job;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.statemachine.ledger.Drains;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A gang that must leave some of its places.
 *
 * @param places BOUND, not empty
 * @param reason why, for people
 */
record Displaced(String jobUid, List<Allocation> places, String reason) {
    Displaced {
        places = List.copyOf(places);
    }

    /** All of them, by uid, which is by age. */
    static List<Displaced> in(ClusterState state) {
        TreeMap<String, List<Allocation>> places = new TreeMap<>();
        TreeMap<String, String> reasons = new TreeMap<>();
        for (NodeEntry entry : state.cordonedNodes()) {
            if (entry.draining()) {
                String reason = Drains.reason(entry);
                for (Allocation place : entry.allocations()) {
                    if (place.hasTask() && place.getState() == AllocationState.ALLOCATION_STATE_BOUND) {
                        String uid = place.getTask().getJobUid();
                        places.computeIfAbsent(uid, any -> new ArrayList<>()).add(place);
                        reasons.putIfAbsent(uid, reason);
                    }
                }
            }
        }
        return places.entrySet().stream()
                .map(gang -> new Displaced(gang.getKey(), gang.getValue(), reasons.getOrDefault(gang.getKey(), "")))
                .toList();
    }
}
