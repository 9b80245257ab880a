package io.surestate.server.api;

import com.google.protobuf.Any;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.surestate.api.ErrorCodes;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;

/** A request that is not carried out, with all that the caller is told. Carries no stack: it is an answer, not a defect. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final long RETRY_AFTER_MILLIS = 200;

    private final transient ErrorDetail detail;

    public Refused(ErrorDetail detail) {
        super(detail.getMessage(), null, false, false);
        this.detail = detail;
    }

    public static Refused of(ErrorCode code, String message) {
        return new Refused(detail(code, message).build());
    }

    /** Nobody knows whether it took effect; the client may ask with its request id, or send the same request again. */
    public static Refused outcomeUnknown(String message) {
        return new Refused(detail(ErrorCode.ERROR_CODE_UNAVAILABLE, message)
                .setOutcomeUnknown(true)
                .build());
    }

    /** The named limit is reached; the same request may be sent again after a moment. */
    public static Refused exhausted(String message) {
        return new Refused(detail(ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED, message)
                .setRetryAfterMillis(RETRY_AFTER_MILLIS)
                .build());
    }

    public static ErrorDetail.Builder detail(ErrorCode code, String message) {
        return ErrorDetail.newBuilder()
                .setCode(code)
                .setCategory(ErrorCodes.category(code))
                .setRetryable(ErrorCodes.retryable(code))
                .setMessage(message);
    }

    public ErrorDetail detail() {
        return detail;
    }

    /** As it travels: a gRPC status with the detail attached. */
    public StatusRuntimeException toGrpc() {
        return StatusProto.toStatusRuntimeException(Status.newBuilder()
                .setCode(ErrorCodes.grpcCode(detail.getCode()).value())
                .setMessage(ErrorCodes.shortName(detail.getCode()) + ": " + detail.getMessage())
                .addDetails(Any.pack(detail))
                .build());
    }
}
