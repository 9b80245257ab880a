package io.surestate.statemachine.decision;

import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.RequestKey;

/**
 * Who a command is from.
 *
 * @param tenant whose things it may touch; empty = everyone's, which only the leader's own duties may
 */
public record Caller(String tenant, String principal) {
    public static Caller of(Envelope envelope) {
        return new Caller(envelope.getTenant(), envelope.getPrincipal());
    }

    /** Names one of its requests. */
    public RequestKey request(String requestId) {
        return RequestKey.newBuilder()
                .setTenant(tenant)
                .setPrincipal(principal)
                .setRequestId(requestId)
                .build();
    }

    /** Whether it may touch what belongs to a tenant. */
    public boolean mayTouch(String owner) {
        return tenant.isEmpty() || tenant.equals(owner);
    }
}
