package io.surestate.server.ledger;

import io.surestate.api.v1.AllocationRef;
import io.surestate.api.v1.CommitPlanResponse;
import io.surestate.api.v1.CommittedGang;
import io.surestate.api.v1.ConfirmHoldResponse;
import io.surestate.api.v1.HoldPlanResponse;
import io.surestate.api.v1.PlacedGang;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanResult;
import io.surestate.server.commit.CommandOutcome;
import io.surestate.statemachine.state.Ids;
import java.util.List;

/** What callers are told of their plans. The allocations of a gang have consecutive ids, so that stored outcomes stay small. */
final class PlanReplies {
    private PlanReplies() {}

    static CommitPlanResponse committed(Plan plan, CommandOutcome done) {
        PlanResult result = done.outcome().getPlan();
        return CommitPlanResponse.newBuilder()
                .setRevision(revision(done))
                .setCommitted(result.getConflictsCount() == 0)
                .addAllGangs(gangs(plan, done))
                .addAllConflicts(result.getConflictsList())
                .build();
    }

    static HoldPlanResponse held(Plan plan, CommandOutcome done) {
        PlanResult result = done.outcome().getPlan();
        HoldPlanResponse.Builder reply = HoldPlanResponse.newBuilder()
                .setRevision(revision(done))
                .addAllGangs(gangs(plan, done))
                .addAllConflicts(result.getConflictsList());
        return (result.hasHold() ? reply.setHold(result.getHold()) : reply).build();
    }

    static ConfirmHoldResponse confirmed(CommandOutcome done) {
        PlanResult result = done.outcome().getPlan();
        return ConfirmHoldResponse.newBuilder()
                .setRevision(revision(done))
                .setHold(result.getHold())
                .addAllConflicts(result.getConflictsList())
                .build();
    }

    /** The entry that first decided it, also where this is an answer to a repeated request; 0 = only validated. */
    private static long revision(CommandOutcome done) {
        return done.revision() == 0 ? 0 : done.outcome().getPlan().getRevision();
    }

    private static List<PlacedGang> gangs(Plan plan, CommandOutcome done) {
        long revision = revision(done);
        return done.outcome().getPlan().getCommittedList().stream()
                .map(gang -> placed(gang, plan, revision))
                .toList();
    }

    private static PlacedGang placed(CommittedGang gang, Plan plan, long revision) {
        PlacedGang.Builder placed = PlacedGang.newBuilder()
                .setGang(gang.getGang())
                .setJobUid(gang.getJobUid())
                .setName(gang.getName())
                .setState(gang.getState());
        List<Placement> placements = plan.getGangs(gang.getGang()).getPlacementsList();
        for (int i = 0; revision != 0 && i < gang.getAllocations(); i++) {
            placed.addAllocations(AllocationRef.newBuilder()
                    .setNode(placements.get(i).getNode())
                    .setId(Ids.of(revision, gang.getFirstOrdinal() + i))
                    .setEpoch(revision));
        }
        return placed.build();
    }
}
