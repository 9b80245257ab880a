package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Plan;
import io.surestate.log.v1.CommitPlan;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;

/** Commits a plan of any scheduler. */
public final class CommitPlanHandler {
    public Outcome decide(Draft draft, Caller caller, CommitPlan command) {
        Plan plan = command.getPlan();
        return PlanCommit.refusal(draft, plan)
                .orElseGet(() -> Outcomes.plan(PlanCommit.commit(
                        draft, plan, plan.getMode(), Terms.of(draft, caller, plan.getScheduler(), ""))));
    }
}
