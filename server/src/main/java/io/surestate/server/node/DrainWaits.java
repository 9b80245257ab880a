package io.surestate.server.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.DrainWait;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NodeEntry;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** What a drain still waits for, read off the state. Pure. */
final class DrainWaits {
    private DrainWaits() {}

    /**
     * The first owners of places on the node, by what they are called.
     *
     * @param reasons why a job that must leave is still there; empty = unknown
     */
    static List<DrainWait> of(ClusterState state, NodeEntry node, Function<String, Optional<String>> reasons) {
        TreeMap<String, DrainWait> waits = new TreeMap<>();
        for (Allocation place : node.allocations()) {
            if (place.getState() != AllocationState.ALLOCATION_STATE_NOMINATED) {
                DrainWait wait = of(state, place, reasons);
                waits.merge(
                        wait.getWhat(),
                        wait,
                        (before, one) -> before.toBuilder()
                                .setAllocations(before.getAllocations() + 1)
                                .build());
            }
        }
        return waits.values().stream().limit(Limits.DRAIN_WAITS_SHOWN).toList();
    }

    private static DrainWait of(ClusterState state, Allocation place, Function<String, Optional<String>> reasons) {
        String reason = place.getState() == AllocationState.ALLOCATION_STATE_RELEASING
                ? place.hasTask() ? "it is being stopped" : "its owner has not let go of it"
                : reasons.apply(place.getTask().getJobUid()).orElse("");
        DrainWait.Builder wait = DrainWait.newBuilder().setAllocations(1).setReason(reason);
        if (place.getState() == AllocationState.ALLOCATION_STATE_HELD) {
            return wait.setWhat("hold " + place.getHold())
                    .setReason("it is neither confirmed nor over")
                    .build();
        }
        if (!place.hasTask()) {
            boolean bound = place.getState() == AllocationState.ALLOCATION_STATE_BOUND;
            return wait.setWhat("name " + place.getName() + " (tenant " + place.getTenant() + ")")
                    .setReason(bound ? "its owner lets go of it" : reason)
                    .build();
        }
        String uid = place.getTask().getJobUid();
        return wait.setWhat(state.job(uid)
                        .map(entry -> "job " + entry.job().getName() + " (tenant "
                                + entry.job().getTenant() + ")")
                        .orElse("job " + uid + ", removed by force"))
                .build();
    }
}
