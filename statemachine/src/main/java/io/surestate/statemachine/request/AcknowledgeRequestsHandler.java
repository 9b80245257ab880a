package io.surestate.statemachine.request;

import io.surestate.api.Limits;
import io.surestate.log.v1.AcknowledgeRequests;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.RequestOutcome;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.Change;
import java.util.Optional;

/**
 * Drops outcomes that their client has. Their ids stay used until they expire: a late copy of the request must not take effect again.
 * Where too many ids are remembered already, the outcome is kept as it is.
 */
public final class AcknowledgeRequestsHandler {
    public Outcome decide(Draft draft, Caller caller, AcknowledgeRequests command) {
        for (String id : command.getRequestIdsList()) {
            RequestKey key = caller.request(id);
            Optional<RequestOutcome> known = draft.state().outcome(key).filter(RequestOutcome::hasOutcome);
            if (known.isPresent() && draft.state().usedIdsOfOwner(key) < Limits.USED_IDS_PER_PRINCIPAL_MAX) {
                draft.add(new Change.OutcomePut(known.get().toBuilder()
                        .clearOutcome()
                        .setAcknowledged(true)
                        .build()));
            }
        }
        return Outcomes.accepted();
    }
}
