package io.surestate.statemachine.ledger;

import io.surestate.api.Limits;
import io.surestate.api.v1.CommittedGang;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.CommitPlan;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import java.util.List;

/** Commits a plan: each gang whole or not at all, each seeing what the gangs before it took. Preferences are not looked at. */
public final class CommitPlanHandler {
    public Outcome decide(Draft draft, CommitPlan command) {
        Plan plan = command.getPlan();
        long placements = plan.getGangsList().stream()
                .mapToLong(GangPlacement::getPlacementsCount)
                .sum();
        if (placements > Limits.PLACEMENTS_PER_PLAN_MAX) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_TOO_LARGE,
                    "placements",
                    Long.toString(placements),
                    "at most " + Limits.PLACEMENTS_PER_PLAN_MAX);
        }
        PlanResult.Builder result = PlanResult.newBuilder();
        for (GangPlacement gang : plan.getGangsList()) {
            Draft branch = draft.branch();
            List<PlanConflict> conflicts = new GangCommit(branch, gang).commit(plan.getScheduler());
            if (conflicts.isEmpty()) {
                draft.take(branch);
                result.addCommitted(CommittedGang.newBuilder().setJobUid(gang.getJobUid()));
            } else {
                result.addAllConflicts(conflicts);
            }
        }
        return Outcomes.plan(result.build());
    }
}
