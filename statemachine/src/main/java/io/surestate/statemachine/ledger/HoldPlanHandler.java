package io.surestate.statemachine.ledger;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.HeldGang;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.HoldPlan;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Keeps the places of a plan until its hold is confirmed, released, or its time is over. All of the plan or nothing. */
public final class HoldPlanHandler {
    public Outcome decide(Draft draft, Caller caller, HoldPlan command) {
        return refusal(draft, caller, command).orElseGet(() -> hold(draft, caller, command));
    }

    private static Optional<Outcome> refusal(Draft draft, Caller caller, HoldPlan command) {
        long ttl = command.getTtlMillis();
        if (ttl < Limits.HOLD_TTL_MILLIS_MIN || ttl > Limits.HOLD_TTL_MILLIS_MAX) {
            return Optional.of(Outcomes.rejected(
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                    "ttl",
                    Long.toString(ttl),
                    Limits.HOLD_TTL_MILLIS_MIN + " to " + Limits.HOLD_TTL_MILLIS_MAX + " milliseconds"));
        }
        boolean onlyPlacements = command.getPlan().getGangsList().stream()
                .allMatch(gang -> !gang.getNominate() && gang.getMove().isEmpty() && gang.getEvictionsCount() == 0);
        if (!onlyPlacements || command.getPlan().getGangsCount() == 0) {
            return Optional.of(Outcomes.rejected(
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                    "plan",
                    onlyPlacements ? "empty" : "with nominations, evictions or moves",
                    "placements only"));
        }
        List<String> jobs = command.getPlan().getGangsList().stream()
                .map(GangPlacement::getJobUid)
                .filter(uid -> !uid.isEmpty())
                .toList();
        if (new TreeSet<>(jobs).size() < jobs.size()) {
            return Optional.of(Outcomes.rejected(
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "plan", "places one job twice", "each job once"));
        }
        int holds = draft.state().holdsOf(caller.tenant());
        return holds >= Limits.HOLDS_PER_TENANT_MAX
                ? Optional.of(Outcomes.rejected(
                        ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED,
                        "holds",
                        Integer.toString(holds + 1),
                        "at most " + Limits.HOLDS_PER_TENANT_MAX + " of one tenant, those that ended within the last"
                                + " hour included"))
                : PlanCommit.refusal(draft, command.getPlan());
    }

    private static Outcome hold(Draft draft, Caller caller, HoldPlan command) {
        Plan plan = command.getPlan();
        Draft branch = draft.branch();
        String id = branch.nextId();
        PlanResult result = PlanCommit.commit(
                branch, plan, PlanMode.PLAN_MODE_ALL_OR_NOTHING, Terms.of(branch, caller, plan.getScheduler(), id));
        if (result.getConflictsCount() > 0) {
            return Outcomes.plan(result);
        }
        Hold.Builder hold = Hold.newBuilder()
                .setId(id)
                .setTenant(caller.tenant())
                .setPrincipal(caller.principal())
                .setScheduler(plan.getScheduler())
                .setState(HoldState.HOLD_STATE_STANDING)
                .setExpiresMillis(draft.timeMillis() + command.getTtlMillis())
                .setCreatedMillis(draft.timeMillis());
        int allocations = 0;
        for (GangPlacement gang : plan.getGangsList()) {
            allocations += gang.getPlacementsCount();
            hold.addGangs(HeldGang.newBuilder()
                    .setJobUid(gang.getJobUid())
                    .setGeneration(gang.getGeneration())
                    .setAttempt(gang.getAttempt())
                    .setName(gang.getName()));
        }
        Hold done = branch.put(hold.setAllocations(allocations));
        draft.take(branch);
        return Outcomes.plan(result.toBuilder().setHold(done).build());
    }
}
