package io.surestate.server.api;

import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.ErrorCode;
import io.surestate.server.log.ProposalFailedException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what a service method computes into what the caller gets: one answer, or one refusal, within the request's deadline. */
public final class Replies {
    private static final Logger LOG = LoggerFactory.getLogger(Replies.class);

    private Replies() {}

    /** Answers a read: when time runs out nothing was changed. */
    public static <R> void read(StreamObserver<R> caller, Supplier<CompletableFuture<R>> work) {
        send(
                caller,
                work,
                Refused.of(ErrorCode.ERROR_CODE_UNAVAILABLE, "read: not confirmed in time (expected: a quorum)"));
    }

    /** Answers a mutation: when time runs out it may still take effect. */
    public static <R> void mutation(StreamObserver<R> caller, Supplier<CompletableFuture<R>> work) {
        send(caller, work, Refused.outcomeUnknown("commit: not confirmed in time (expected: a quorum)"));
    }

    private static <R> void send(StreamObserver<R> caller, Supplier<CompletableFuture<R>> work, Refused late) {
        CompletableFuture<R> answer;
        try {
            answer = work.get();
        } catch (RuntimeException refused) {
            answer = CompletableFuture.failedFuture(refused);
        }
        // A copy, so that running out of time does not complete what others may share.
        answer.copy()
                .orTimeout(RequestDeadline.remainingMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((reply, failure) -> {
                    if (failure == null) {
                        caller.onNext(reply);
                        caller.onCompleted();
                    } else {
                        caller.onError(toGrpc(failure, late));
                    }
                });
    }

    /** The gRPC form of any failure; defects are logged here, once, and told as INTERNAL. */
    public static Throwable toGrpc(Throwable failure, Refused late) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof Refused refused) {
            return refused.toGrpc();
        }
        if (cause instanceof StatusRuntimeException || cause instanceof StatusException) {
            return cause;
        }
        if (cause instanceof ProposalFailedException failed) {
            return Refused.of(ErrorCode.ERROR_CODE_UNAVAILABLE, "quorum: " + failed.getMessage())
                    .toGrpc();
        }
        if (cause instanceof TimeoutException) {
            return late.toGrpc();
        }
        LOG.error("action=answer-request result=defect", cause);
        return Refused.of(
                        ErrorCode.ERROR_CODE_INTERNAL,
                        "internal error: " + cause.getClass().getSimpleName())
                .toGrpc();
    }
}
