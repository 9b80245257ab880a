package io.surestate.statemachine.request;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.RequestOutcome;
import io.surestate.log.v1.SealRequest;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.Change;
import java.util.Optional;

/**
 * Settles what became of a request: if it was not decided yet it never will be. The seal outlives every expiry that the request can
 * have.
 */
public final class SealRequestHandler {
    public Outcome decide(Draft draft, Caller caller, SealRequest command) {
        RequestKey key = caller.request(command.getRequestId());
        Optional<RequestOutcome> known = draft.state().outcome(key);
        if (known.isPresent()) {
            return Outcomes.request(known.get());
        }
        if (draft.state().usedIdsOfOwner(key) >= Limits.USED_IDS_PER_PRINCIPAL_MAX) {
            return Outcomes.rejected(
                    ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED,
                    "request id",
                    key.getRequestId(),
                    "at most " + Limits.USED_IDS_PER_PRINCIPAL_MAX
                            + " sealed or acknowledged requests of one principal");
        }
        RequestOutcome sealed = RequestOutcome.newBuilder()
                .setKey(key)
                .setExpiresMillis(draft.timeMillis() + Limits.REQUEST_TTL_MILLIS_MAX)
                .setRevision(draft.index())
                .setSealed(true)
                .build();
        draft.add(new Change.OutcomePut(sealed));
        return Outcomes.request(sealed);
    }
}
