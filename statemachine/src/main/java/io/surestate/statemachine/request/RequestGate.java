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
        return known.isPresent() && (!known.get().hasOutcome() || known.get().getExpiresMillis() > timeMillis)
                ? Optional.of(again(known.get(), envelope))
                : known.filter(outcome -> outcome.getFingerprint().equals(envelope.getFingerprint()))
                        .map(RequestOutcome::getOutcome)
                        .or(() -> refusal(state, envelope, timeMillis));
    }

    /** What is said to a request whose id is known. */
    private static Outcome again(RequestOutcome known, Envelope envelope) {
        String id = envelope.getRequest().getRequestId();
        if (known.getSealed()) {
            return refused(
                    ErrorCode.ERROR_CODE_REQUEST_SEALED,
                    id,
                    "an id that was not sealed; this one was at revision " + known.getRevision());
        }
        if (known.getAcknowledged()) {
            return refused(
                    ErrorCode.ERROR_CODE_REQUEST_ACKNOWLEDGED,
                    id,
                    "a new id; this request took effect at revision " + known.getRevision()
                            + " and its outcome was acknowledged");
        }
        return known.getFingerprint().equals(envelope.getFingerprint())
                ? known.getOutcome()
                : refused(ErrorCode.ERROR_CODE_REQUEST_ID_REUSED, id, "an id that was not used with another body");
    }

    private static Optional<Outcome> refusal(ClusterState state, Envelope envelope, long timeMillis) {
        String id = envelope.getRequest().getRequestId();
        if (envelope.getExpiresMillis() <= timeMillis) {
            return Optional.of(refused(
                    ErrorCode.ERROR_CODE_REQUEST_EXPIRED,
                    id,
                    "an expiry after cluster time " + timeMillis + ", not " + envelope.getExpiresMillis()));
        }
        return full(state, envelope.getRequest()) && !frees(envelope)
                ? Optional.of(refused(
                        ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED,
                        id,
                        "at most " + Limits.REQUESTS_PER_PRINCIPAL_MAX
                                + " unexpired outcomes of one principal; acknowledge those that arrived"))
                : Optional.empty();
    }

    private static boolean full(ClusterState state, RequestKey key) {
        return state.outcomesOfOwner(key) >= Limits.REQUESTS_PER_PRINCIPAL_MAX;
    }

    /** What frees something is idempotent by nature, and never turned away because there is no room for its outcome. */
    private static boolean frees(Envelope envelope) {
        return switch (envelope.getCommandCase()) {
            case CANCEL_JOB, RELEASE_HOLD, RELEASE_ALLOCATIONS, FENCE_NODE, CORDON_NODE, UNCORDON_NODE -> true;
            default -> false;
        };
    }

    /** Stores what a request came to and returns it as it is stored. */
    public Outcome keep(Draft draft, Envelope envelope, Outcome outcome) {
        RequestKey key = envelope.getRequest();
        Outcome kept = cutter.cut(outcome);
        if (!full(draft.state(), key) || draft.state().outcome(key).isPresent()) {
            draft.add(new Change.OutcomePut(RequestOutcome.newBuilder()
                    .setKey(key)
                    .setFingerprint(envelope.getFingerprint())
                    .setExpiresMillis(envelope.getExpiresMillis())
                    .setRevision(draft.index())
                    .setOutcome(kept)
                    .build()));
        }
        return kept;
    }

    private static Outcome refused(ErrorCode code, String id, String expected) {
        return Outcomes.rejected(code, "request id", id, expected);
    }
}
