package io.surestate.testkit.example;

import io.surestate.api.v1.ConfirmHoldRequest;
import io.surestate.api.v1.ConfirmHoldResponse;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.HoldPlanRequest;
import io.surestate.api.v1.HoldPlanResponse;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.TaskGroup;
import io.surestate.client.ClusterClient;
import io.surestate.client.ClusterView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Holds places under a name, without a job, and binds them when something else is settled. One thread. */
final class OwnReservation {
    private static final Duration CALL_MAX = Duration.ofSeconds(10);
    private static final long HELD_MILLIS = 30_000;

    private final ClusterClient client;
    private final ClusterView view;

    OwnReservation(ClusterClient client, ClusterView view) {
        this.client = client;
        this.view = view;
    }

    /** The hold's id; empty = there is no room, or not any more. */
    Optional<String> reserve(String name, TaskGroup size, Runnable settle) {
        GangPlacement.Builder gang = GangPlacement.newBuilder().setName(name);
        Optional<Plan> plan = OwnScheduler.plan(view.picture(), gang, List.of(size));
        if (plan.isEmpty()) {
            return Optional.empty();
        }
        HoldPlanRequest request = HoldPlanRequest.newBuilder()
                .setPlan(plan.get())
                .setTtlMillis(HELD_MILLIS)
                .build();
        HoldPlanResponse held = client.call(LedgerGrpc.getHoldPlanMethod(), request, CALL_MAX);
        if (!held.hasHold()) {
            return Optional.empty();
        }
        settle.run();
        ConfirmHoldResponse confirmed = client.call(
                LedgerGrpc.getConfirmHoldMethod(),
                ConfirmHoldRequest.newBuilder().setHold(held.getHold().getId()).build(),
                CALL_MAX);
        // With conflicts nothing was bound, such as where a node was lost meanwhile; the hold ends with its time.
        return confirmed.getConflictsCount() == 0 ? Optional.of(held.getHold().getId()) : Optional.empty();
    }
}
