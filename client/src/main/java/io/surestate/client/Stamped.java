package io.surestate.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.surestate.api.Limits;
import io.surestate.api.v1.RequestHeader;

/**
 * A request as it is sent, however often: a mutation has its id and, where cluster time is known, its expiry.
 *
 * @param tenant as in the header
 * @param ownId the id that the client gave it; empty = it had one, needs none, or nothing is kept under it
 */
record Stamped<Q>(Q request, String tenant, String ownId) {
    static <Q> Stamped<Q> of(Q request, RequestIds ids, ClusterTime time) {
        if (!(request instanceof Message message)) {
            return new Stamped<>(request, "", "");
        }
        FieldDescriptor field = message.getDescriptorForType().findFieldByName(RequestKind.HEADER);
        if (field == null || !(message.getField(field) instanceof RequestHeader header)) {
            return new Stamped<>(request, "", "");
        }
        RequestHeader.Builder complete = header.toBuilder();
        boolean own = header.getRequestId().isEmpty();
        if (own) {
            complete.setRequestId(ids.next());
        }
        if (header.getExpiresMillis() == 0) {
            time.nowMillis().ifPresent(now -> complete.setExpiresMillis(now + Limits.REQUEST_TTL_MILLIS_DEFAULT));
        }
        @SuppressWarnings("unchecked") // A message's builder builds the same message.
        Q stamped = (Q) message.toBuilder().setField(field, complete.build()).build();
        boolean kept = own && !header.getValidateOnly();
        return new Stamped<>(stamped, header.getTenant(), kept ? complete.getRequestId() : "");
    }
}
