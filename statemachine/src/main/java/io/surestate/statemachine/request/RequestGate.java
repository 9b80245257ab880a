package io.surestate.statemachine.request;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.RequestOutcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.ClusterState;
import java.util.Optional;

/** Lets each client request take effect once, and keeps what it came to. */
public final class RequestGate {
    private final OutcomeCutter cutter = new OutcomeCutter();

    /** The answer that stands before the command is looked at; empty = the command is to be decided. */
    public Optional<Outcome> answer(ClusterState state, Envelope envelope, long timeMillis) {
        Optional<RequestOutcome> known = state.outcome(envelope.getRequest());
        if (known.isPresent() && known.get().getFingerprint().equals(envelope.getFingerprint())) {
            return known.map(RequestOutcome::getOutcome);
        }
        String id = envelope.getRequest().getRequestId();
        if (known.isPresent() && known.get().getExpiresMillis() > timeMillis) {
            return refused(ErrorCode.ERROR_CODE_REQUEST_ID_REUSED, id, "an id that was not used with another body");
        }
        if (envelope.getExpiresMillis() <= timeMillis) {
            return refused(
                    ErrorCode.ERROR_CODE_REQUEST_EXPIRED,
                    id,
                    "an expiry after cluster time " + timeMillis + ", not " + envelope.getExpiresMillis());
        }
        return known.isEmpty() && state.outcomesOfOwner(envelope.getRequest()) >= Limits.REQUESTS_PER_PRINCIPAL_MAX
                ? refused(
                        ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED,
                        id,
                        "at most " + Limits.REQUESTS_PER_PRINCIPAL_MAX + " unexpired requests of one principal")
                : Optional.empty();
    }

    /** Stores what a request came to and returns it as it is stored. */
    public Outcome keep(Draft draft, Envelope envelope, Outcome outcome) {
        RequestKey key = envelope.getRequest();
        Outcome kept = cutter.cut(outcome);
        draft.add(new Change.OutcomePut(RequestOutcome.newBuilder()
                .setKey(key)
                .setFingerprint(envelope.getFingerprint())
                .setExpiresMillis(envelope.getExpiresMillis())
                .setRevision(draft.index())
                .setOutcome(kept)
                .build()));
        return kept;
    }

    private static Optional<Outcome> refused(ErrorCode code, String id, String expected) {
        return Optional.of(Outcomes.rejected(code, "request id", id, expected));
    }
}
