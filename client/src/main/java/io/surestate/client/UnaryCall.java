package io.surestate.client;

import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One request with one answer, over as many attempts as it takes. Used by the calling thread only.
 *
 * <p>One attempt gets only a part of the time, so that a frozen server cannot use it up. An attempt whose request never left this
 * process cannot have taken effect; every other that ended without a server's verdict may have.
 */
final class UnaryCall<Q, R> {
    private static final long ATTEMPT_MILLIS_MIN = 3_000;
    private static final int ATTEMPT_PARTS = 3;

    private final ClusterClient client;
    private final MethodDescriptor<Q, R> method;
    private final Q request;
    private final RequestKind kind;
    private final Retries retries;
    private final long attemptMillisMax;
    private boolean mayHaveTakenEffect;

    UnaryCall(ClusterClient client, MethodDescriptor<Q, R> method, Q request, Duration timeout) {
        this.client = client;
        this.method = method;
        this.request = request;
        this.kind = RequestKind.of(request);
        this.retries = new Retries(client, timeout);
        this.attemptMillisMax = Math.max(ATTEMPT_MILLIS_MIN, timeout.toMillis() / ATTEMPT_PARTS);
    }

    R run() {
        while (true) {
            Endpoint endpoint = client.endpoints().current();
            AtomicBoolean sent = new AtomicBoolean();
            try {
                return ClientCalls.blockingUnaryCall(client.channel(endpoint), method, options(sent), request);
            } catch (StatusRuntimeException e) {
                ErrorDetail detail = ErrorDetails.of(e);
                boolean undecided = kind.mutation() && undecided(e, detail, sent.get());
                mayHaveTakenEffect |= undecided;
                boolean repeat = detail.getRetryable() && (kind.repeatable() || !undecided);
                if (!repeat || !retries.again(endpoint, detail)) {
                    throw failure(detail, e);
                }
            }
        }
    }

    private CallOptions options(AtomicBoolean sent) {
        long millis = Math.max(1, Math.min(retries.millisLeft(), attemptMillisMax));
        return CallOptions.DEFAULT
                .withDeadlineAfter(millis, TimeUnit.MILLISECONDS)
                .withStreamTracerFactory(new SentTracer(sent));
    }

    private static boolean undecided(Throwable failure, ErrorDetail detail, boolean sent) {
        if (ErrorDetails.attached(failure).isPresent()) {
            return detail.getOutcomeUnknown();
        }
        return sent
                && switch (detail.getCode()) {
                    case ERROR_CODE_DEADLINE_EXCEEDED, ERROR_CODE_UNAVAILABLE, ERROR_CODE_INTERNAL -> true;
                    default -> false;
                };
    }

    private SurestateException failure(ErrorDetail detail, StatusRuntimeException cause) {
        boolean unknown = detail.getOutcomeUnknown() || (mayHaveTakenEffect && !settles(detail));
        return new SurestateException(
                detail.toBuilder().setOutcomeUnknown(unknown).build(), kind.requestId(), cause);
    }

    /** With one request id the servers give one answer, so a refusal of its content settles earlier doubt. */
    private boolean settles(ErrorDetail detail) {
        ErrorCode code = detail.getCode();
        return kind.repeatable()
                && !detail.getRetryable()
                && code != ErrorCode.ERROR_CODE_INTERNAL
                && code != ErrorCode.ERROR_CODE_REQUEST_EXPIRED;
    }

    /** Notices that the request left this process. */
    private static final class SentTracer extends ClientStreamTracer.Factory {
        private final AtomicBoolean sent;

        SentTracer(AtomicBoolean sent) {
            this.sent = sent;
        }

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void outboundMessageSent(int sequence, long wireBytes, long bytes) {
                    sent.set(true);
                }
            };
        }
    }
}
