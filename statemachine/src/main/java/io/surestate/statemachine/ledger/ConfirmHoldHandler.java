package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.HeldGang;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.PlanResult;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskRef;
import io.surestate.log.v1.ConfirmHold;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.job.JobPlaces;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Binds everything that a hold keeps, or nothing: where something stands against it, the hold goes on standing. */
public final class ConfirmHoldHandler {
    public Outcome decide(Draft draft, Caller caller, ConfirmHold command) {
        return Holds.find(draft, caller, command.getHold())
                .map(hold -> confirm(draft, caller, hold))
                .orElseGet(() -> Holds.notFound(caller, command.getHold()));
    }

    private static Outcome confirm(Draft draft, Caller caller, Hold hold) {
        if (!Holds.stands(hold)) {
            return Holds.over(hold);
        }
        if (hold.getExpiresMillis() <= draft.timeMillis()) {
            return Holds.over(Holds.expire(draft, hold));
        }
        List<Allocation> held = draft.state().heldBy(hold.getId());
        List<PlanConflict> conflicts = conflicts(draft, caller, hold, held);
        if (!conflicts.isEmpty()) {
            return Outcomes.plan(PlanResult.newBuilder()
                    .setRevision(draft.index())
                    .setHold(hold)
                    .addAllConflicts(conflicts)
                    .build());
        }
        for (HeldGang gang : hold.getGangsList()) {
            bind(draft, gang, held);
        }
        return Outcomes.plan(PlanResult.newBuilder()
                .setRevision(draft.index())
                .setHold(Holds.end(draft, hold, HoldState.HOLD_STATE_CONFIRMED))
                .build());
    }

    private static void bind(Draft draft, HeldGang gang, List<Allocation> held) {
        List<Allocation> places =
                held.stream().filter(place -> belongs(place, gang)).toList();
        if (gang.getJobUid().isEmpty()) {
            places.forEach(place -> draft.move(place, AllocationState.ALLOCATION_STATE_BOUND, ""));
        } else {
            JobEntry entry = draft.state().job(gang.getJobUid()).orElseThrow();
            JobPlaces.bind(draft, entry, places);
        }
    }

    private static boolean belongs(Allocation place, HeldGang gang) {
        return gang.getJobUid().isEmpty()
                ? place.getName().equals(gang.getName())
                : place.getTask().getJobUid().equals(gang.getJobUid());
    }

    private static List<PlanConflict> conflicts(Draft draft, Caller caller, Hold hold, List<Allocation> held) {
        List<PlanConflict> found = new ArrayList<>();
        for (int i = 0; i < hold.getGangsCount(); i++) {
            HeldGang gang = hold.getGangs(i);
            Conflicts conflicts = new Conflicts(i, gang.getJobUid());
            if (!gang.getJobUid().isEmpty()) {
                checkJob(draft, caller, hold, gang, conflicts);
            }
            boolean open = conflicts.none();
            int position = 0;
            for (Allocation place : held) {
                if (belongs(place, gang)) {
                    conflicts.aboutPlacement(position++);
                    checkPlace(draft, place, open, conflicts);
                }
            }
            found.addAll(conflicts.list());
        }
        return found;
    }

    private static void checkJob(Draft draft, Caller caller, Hold hold, HeldGang gang, Conflicts conflicts) {
        Optional<JobEntry> entry = draft.state().job(gang.getJobUid());
        if (entry.isEmpty()) {
            conflicts.add(ConflictKind.CONFLICT_KIND_NOT_FOUND, "job", gang.getJobUid(), "a live job");
        } else {
            new GangCheck(conflicts).check(entry.get().job(), gang, hold.getScheduler(), caller, draft.timeMillis());
        }
    }

    /** The node may have registered again since the hold was made, with other hardware. */
    private static void checkPlace(Draft draft, Allocation place, boolean jobWaits, Conflicts conflicts) {
        NodeEntry node = draft.state().node(place.getNode()).orElseThrow();
        if (jobWaits && place.hasTask() && !stillOpen(draft, place.getTask())) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_JOB,
                    "task",
                    place.getTask().getGroup() + "/" + place.getTask().getIndex(),
                    "one that has no place yet");
            return;
        }
        Optional<DeviceShare> unhealthy = place.getClaim().getDevicesList().stream()
                .filter(share -> node.quarantined(share.getOrdinal()))
                .findFirst();
        if (!NodeUse.check(conflicts, node)) {
            return;
        }
        if (unhealthy.isPresent()) {
            conflicts.quarantined(place.getNode(), unhealthy.get().getOrdinal());
            return;
        }
        Placement placement = Placement.newBuilder()
                .setNode(place.getNode())
                .setClaim(place.getClaim())
                .build();
        boolean same = new ClaimForm(conflicts).check(placement, node)
                && asked(draft, place)
                        .map(wanted ->
                                new ClaimCheck(conflicts, draft.state().accelerators()).check(placement, wanted, node))
                        .orElse(true);
        if (same) {
            new FitCheck(conflicts, place.getId()).check(place.getClaim(), node, node.roomFor(place));
        }
    }

    /** A gang that grew since the hold was made may have given this place to another allocation. */
    private static boolean stillOpen(Draft draft, TaskRef ref) {
        JobEntry entry = draft.state().job(ref.getJobUid()).orElseThrow();
        return GangPlaces.isOpen(draft.state(), entry, ref.getGroup(), ref.getIndex(), ref.getAttempt());
    }

    private static Optional<Resources> asked(Draft draft, Allocation place) {
        return draft.state()
                .job(place.getTask().getJobUid())
                .flatMap(entry -> entry.group(place.getTask().getGroup()))
                .map(TaskGroup::getResources);
    }
}
