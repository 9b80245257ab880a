package io.surestate.statemachine.ledger;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import java.util.Optional;

/** Commits plans: gang after gang, each seeing what those before it took. Preferences are not looked at. */
final class PlanCommit {
    private PlanCommit() {}

    /** What is wrong with a plan as a whole, before any gang is looked at. */
    static Optional<Outcome> refusal(Draft draft, Plan plan) {
        long placements = plan.getGangsList().stream()
                .mapToLong(GangPlacement::getPlacementsCount)
                .sum();
        long evictions = plan.getGangsList().stream()
                .mapToLong(GangPlacement::getEvictionsCount)
                .sum();
        if (plan.getSeenRevision() < 0 || plan.getSeenRevision() >= draft.index()) {
            return Optional.of(Outcomes.rejected(
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                    "seenRevision",
                    Long.toString(plan.getSeenRevision()),
                    "0 to " + (draft.index() - 1) + ", the newest revision"));
        }
        long live = draft.state().counts().allocations() + placements;
        return tooMany("placements", placements, Limits.PLACEMENTS_PER_PLAN_MAX, ErrorCode.ERROR_CODE_TOO_LARGE)
                .or(() ->
                        tooMany("evictions", evictions, Limits.PLACEMENTS_PER_PLAN_MAX, ErrorCode.ERROR_CODE_TOO_LARGE))
                .or(() -> tooMany(
                        "live allocations",
                        live,
                        Limits.LIVE_ALLOCATIONS_MAX,
                        ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED));
    }

    private static Optional<Outcome> tooMany(String what, long value, long most, ErrorCode code) {
        return value <= most
                ? Optional.empty()
                : Optional.of(Outcomes.rejected(code, what, Long.toString(value), "at most " + most));
    }

    /** Commits what the mode allows into the draft. */
    static PlanResult commit(Draft draft, Plan plan, PlanMode mode, Terms terms) {
        Draft all = draft.branch();
        PlanResult.Builder result = PlanResult.newBuilder();
        for (int i = 0; i < plan.getGangsCount(); i++) {
            GangCommit.Result gang = GangCommit.commit(all, plan.getGangs(i), i, terms);
            gang.committed().ifPresent(result::addCommitted);
            result.addAllConflicts(gang.conflicts());
        }
        if (mode == PlanMode.PLAN_MODE_PER_GROUP || result.getConflictsCount() == 0) {
            draft.take(all);
        } else {
            result.clearCommitted();
        }
        return result.build();
    }
}
