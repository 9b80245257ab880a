package io.surestate.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.surestate.api.ErrorCodes;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import java.util.Optional;

/** Finds the {@link ErrorDetail} of a failed call, or makes one from the bare gRPC status. */
public final class ErrorDetails {
    private ErrorDetails() {}

    /** What went wrong with a call that ended by {@code failure}. */
    public static ErrorDetail of(Throwable failure) {
        return attached(failure).orElseGet(() -> fromStatus(Status.fromThrowable(failure)));
    }

    /** The server's own verdict, if one arrived. */
    static Optional<ErrorDetail> attached(Throwable failure) {
        com.google.rpc.Status status = StatusProto.fromThrowable(failure);
        if (status == null) {
            return Optional.empty();
        }
        for (Any any : status.getDetailsList()) {
            if (any.is(ErrorDetail.class)) {
                try {
                    return Optional.of(any.unpack(ErrorDetail.class));
                } catch (InvalidProtocolBufferException e) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    private static ErrorDetail fromStatus(Status status) {
        return local(code(status.getCode()), message(status));
    }

    /** What this side found by itself. */
    static ErrorDetail local(ErrorCode code, String message) {
        return ErrorDetail.newBuilder()
                .setCode(code)
                .setCategory(ErrorCodes.category(code))
                .setRetryable(ErrorCodes.retryable(code))
                .setMessage(message)
                .build();
    }

    private static String message(Status status) {
        String description = status.getDescription();
        Throwable cause = status.getCause();
        String text = description == null ? status.getCode().name() : description;
        return cause == null || cause.getMessage() == null ? text : text + ": " + cause.getMessage();
    }

    private static ErrorCode code(Status.Code code) {
        return switch (code) {
            case INVALID_ARGUMENT -> ErrorCode.ERROR_CODE_INVALID_ARGUMENT;
            case NOT_FOUND -> ErrorCode.ERROR_CODE_NOT_FOUND;
            case ALREADY_EXISTS -> ErrorCode.ERROR_CODE_ALREADY_EXISTS;
            case PERMISSION_DENIED -> ErrorCode.ERROR_CODE_PERMISSION_DENIED;
            case UNAUTHENTICATED -> ErrorCode.ERROR_CODE_UNAUTHENTICATED;
            case UNIMPLEMENTED -> ErrorCode.ERROR_CODE_UNSUPPORTED;
            case FAILED_PRECONDITION, ABORTED -> ErrorCode.ERROR_CODE_ILLEGAL_STATE;
            case OUT_OF_RANGE -> ErrorCode.ERROR_CODE_COMPACTED;
            case RESOURCE_EXHAUSTED -> ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED;
            case DEADLINE_EXCEEDED -> ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED;
            case UNAVAILABLE, CANCELLED -> ErrorCode.ERROR_CODE_UNAVAILABLE;
            case OK, UNKNOWN, INTERNAL, DATA_LOSS -> ErrorCode.ERROR_CODE_INTERNAL;
        };
    }
}
