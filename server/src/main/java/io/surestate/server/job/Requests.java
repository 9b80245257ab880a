package io.surestate.server.job;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.RequestHeader;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.RequestKey;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.Problems;
import io.surestate.server.commit.ClusterClock;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Turns the header of a mutation into an envelope: who asks, under which id, until when, with what body. */
final class Requests {
    private static final int FINGERPRINT_BYTES = 16;

    private Requests() {}

    /** {@code body} is the client's request without its header, before any default is filled in. */
    static Envelope.Builder envelope(RequestHeader header, String tenant, Message body, ClusterClock clock) {
        Problems.require(Names.requestIdProblem("header.requestId", header.getRequestId()));
        long now = clock.millis();
        long expires =
                header.getExpiresMillis() == 0 ? now + Limits.REQUEST_TTL_MILLIS_DEFAULT : header.getExpiresMillis();
        Problems.range("header.expiresMillis (cluster time)", expires, 1, now + Limits.REQUEST_TTL_MILLIS_MAX);
        return Envelope.newBuilder()
                .setRequest(RequestKey.newBuilder()
                        .setTenant(tenant)
                        .setPrincipal(Authorizer.ANONYMOUS)
                        .setRequestId(header.getRequestId()))
                .setFingerprint(fingerprint(body))
                .setExpiresMillis(expires)
                .setTenant(tenant)
                .setPrincipal(Authorizer.ANONYMOUS);
    }

    private static ByteString fingerprint(Message body) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(body.getDescriptorForType().getFullName().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return ByteString.copyFrom(sha256.digest(body.toByteArray()), 0, FINGERPRINT_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
