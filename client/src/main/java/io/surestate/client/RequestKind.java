package io.surestate.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.surestate.api.v1.RequestHeader;

/**
 * What kind of request a message is, as far as repeating it goes.
 *
 * @param mutation carries a {@link RequestHeader}
 * @param requestId empty for reads
 */
record RequestKind(boolean mutation, String requestId) {
    static final String HEADER = "header";

    static RequestKind of(Object request) {
        if (request instanceof Message message) {
            FieldDescriptor field = message.getDescriptorForType().findFieldByName(HEADER);
            if (field != null && message.getField(field) instanceof RequestHeader header) {
                return new RequestKind(true, header.getRequestId());
            }
        }
        return new RequestKind(false, "");
    }

    /** Sending it twice takes effect at most once. */
    boolean repeatable() {
        return !mutation || !requestId.isEmpty();
    }
}
