package io.surestate.server.api;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;

/** The one reply of a unary call, as a future. */
final class FutureReply<R> implements StreamObserver<R> {
    private final CompletableFuture<R> reply = new CompletableFuture<>();

    CompletableFuture<R> future() {
        return reply;
    }

    @Override
    public void onNext(R value) {
        reply.complete(value);
    }

    @Override
    public void onError(Throwable failure) {
        reply.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
        reply.completeExceptionally(new IllegalStateException("the call ended without a reply"));
    }
}
