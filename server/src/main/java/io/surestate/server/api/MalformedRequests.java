package io.surestate.server.api;

import io.grpc.BindableService;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.surestate.api.v1.ErrorCode;

/**
 * Answers bytes that are no message of the method with INVALID_ARGUMENT. Left to itself, gRPC answers "unknown application error" and
 * logs a stack for each, which lets anybody fill the log.
 */
public final class MalformedRequests implements ServerInterceptor {
    private MalformedRequests() {}

    /** The service with its requests parsed where a failure can be caught. */
    public static ServerServiceDefinition refusedBy(BindableService service) {
        return ServerInterceptors.intercept(
                ServerInterceptors.useInputStreamMessages(service.bindService()), new MalformedRequests());
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                if (refused) {
                    return;
                }
                try {
                    super.onMessage(message);
                } catch (StatusRuntimeException failed) {
                    if (failed.getStatus().getCode() != Status.Code.INTERNAL) {
                        throw failed;
                    }
                    refused = true;
                    refuse(call);
                }
            }

            @Override
            public void onHalfClose() {
                if (!refused) {
                    super.onHalfClose();
                }
            }
        };
    }

    private static void refuse(ServerCall<?, ?> call) {
        StatusRuntimeException refusal = Refused.of(
                        ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                        "request: bytes that are no message of "
                                + call.getMethodDescriptor().getFullMethodName() + " (expected: its protobuf encoding)")
                .toGrpc();
        Metadata trailers = refusal.getTrailers();
        call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
    }
}
