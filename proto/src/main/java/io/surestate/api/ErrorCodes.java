package io.surestate.api;

import io.grpc.Status;
import io.surestate.api.v1.ErrorCategory;
import io.surestate.api.v1.ErrorCode;

/** The one table of what each {@link ErrorCode} means: who can mend it, whether to repeat, and its gRPC status. */
public final class ErrorCodes {
    private ErrorCodes() {}

    /** Who can mend it. */
    public static ErrorCategory category(ErrorCode code) {
        return switch (code) {
            case ERROR_CODE_INVALID_ARGUMENT,
                    ERROR_CODE_NOT_FOUND,
                    ERROR_CODE_PERMISSION_DENIED,
                    ERROR_CODE_UNAUTHENTICATED,
                    ERROR_CODE_UNSUPPORTED,
                    ERROR_CODE_UNSATISFIABLE -> ErrorCategory.ERROR_CATEGORY_USER;
            case ERROR_CODE_ALREADY_EXISTS,
                    ERROR_CODE_REQUEST_ID_REUSED,
                    ERROR_CODE_REQUEST_EXPIRED,
                    ERROR_CODE_GENERATION_MISMATCH,
                    ERROR_CODE_PLAN_CONFLICT,
                    ERROR_CODE_STALE_EPOCH,
                    ERROR_CODE_NODE_CONFLICT,
                    ERROR_CODE_WRONG_CLUSTER,
                    ERROR_CODE_ILLEGAL_STATE,
                    ERROR_CODE_PAGE_TOKEN_EXPIRED,
                    ERROR_CODE_COMPACTED,
                    ERROR_CODE_HOLD_OVER,
                    ERROR_CODE_REQUEST_SEALED,
                    ERROR_CODE_REQUEST_ACKNOWLEDGED,
                    ERROR_CODE_HISTORY_CHANGED -> ErrorCategory.ERROR_CATEGORY_CONFLICT;
            case ERROR_CODE_NOT_LEADER, ERROR_CODE_UNAVAILABLE, ERROR_CODE_DEADLINE_EXCEEDED ->
                ErrorCategory.ERROR_CATEGORY_UNAVAILABLE;
            case ERROR_CODE_RESOURCE_EXHAUSTED, ERROR_CODE_TOO_LARGE -> ErrorCategory.ERROR_CATEGORY_EXHAUSTED;
            case ERROR_CODE_INTERNAL, ERROR_CODE_UNSPECIFIED, UNRECOGNIZED -> ErrorCategory.ERROR_CATEGORY_INTERNAL;
        };
    }

    /** Whether the same request, with the same request id, may be sent again with hope. */
    public static boolean retryable(ErrorCode code) {
        return switch (category(code)) {
            case ERROR_CATEGORY_UNAVAILABLE -> true;
            case ERROR_CATEGORY_EXHAUSTED -> code == ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED;
            default -> false;
        };
    }

    /** The gRPC status code on the wire. */
    public static Status.Code grpcCode(ErrorCode code) {
        return switch (code) {
            case ERROR_CODE_INVALID_ARGUMENT, ERROR_CODE_TOO_LARGE -> Status.Code.INVALID_ARGUMENT;
            case ERROR_CODE_NOT_FOUND -> Status.Code.NOT_FOUND;
            case ERROR_CODE_PERMISSION_DENIED -> Status.Code.PERMISSION_DENIED;
            case ERROR_CODE_UNAUTHENTICATED -> Status.Code.UNAUTHENTICATED;
            case ERROR_CODE_UNSUPPORTED -> Status.Code.UNIMPLEMENTED;
            case ERROR_CODE_ALREADY_EXISTS, ERROR_CODE_REQUEST_ID_REUSED -> Status.Code.ALREADY_EXISTS;
            case ERROR_CODE_UNSATISFIABLE,
                    ERROR_CODE_REQUEST_EXPIRED,
                    ERROR_CODE_NODE_CONFLICT,
                    ERROR_CODE_WRONG_CLUSTER,
                    ERROR_CODE_ILLEGAL_STATE,
                    ERROR_CODE_PAGE_TOKEN_EXPIRED,
                    ERROR_CODE_HOLD_OVER,
                    ERROR_CODE_REQUEST_SEALED,
                    ERROR_CODE_REQUEST_ACKNOWLEDGED,
                    ERROR_CODE_HISTORY_CHANGED -> Status.Code.FAILED_PRECONDITION;
            case ERROR_CODE_GENERATION_MISMATCH, ERROR_CODE_PLAN_CONFLICT, ERROR_CODE_STALE_EPOCH ->
                Status.Code.ABORTED;
            case ERROR_CODE_COMPACTED -> Status.Code.OUT_OF_RANGE;
            case ERROR_CODE_NOT_LEADER, ERROR_CODE_UNAVAILABLE -> Status.Code.UNAVAILABLE;
            case ERROR_CODE_DEADLINE_EXCEEDED -> Status.Code.DEADLINE_EXCEEDED;
            case ERROR_CODE_RESOURCE_EXHAUSTED -> Status.Code.RESOURCE_EXHAUSTED;
            case ERROR_CODE_INTERNAL, ERROR_CODE_UNSPECIFIED, UNRECOGNIZED -> Status.Code.INTERNAL;
        };
    }

    /** {@code ERROR_CODE_NOT_FOUND} as people read it: {@code NOT_FOUND}. */
    public static String shortName(ErrorCode code) {
        return code.name().replace("ERROR_CODE_", "");
    }
}
