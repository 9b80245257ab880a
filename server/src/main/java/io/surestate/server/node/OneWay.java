package io.surestate.server.node;

import io.grpc.stub.CallStreamObserver;
import java.util.function.IntConsumer;

/**
 * Passes messages on from one stream to another, one at a time: the next is asked for only when the other side takes more, so that nothing piles up here.
 * Thread-safe.
 */
final class OneWay<T> {
    private final IntConsumer source;
    private final CallStreamObserver<T> sink;
    private boolean owesRequest;
    private boolean ended;

    /** @param source asks for so many messages */
    OneWay(IntConsumer source, CallStreamObserver<T> sink) {
        this.source = source;
        this.sink = sink;
    }

    synchronized void pass(T message) {
        if (!ended) {
            sink.onNext(message);
            skip();
        }
    }

    /** A message that is not passed on. */
    synchronized void skip() {
        owesRequest = true;
        askForMore();
    }

    /** To be called whenever the sink may take more. */
    synchronized void askForMore() {
        if (owesRequest && !ended && sink.isReady()) {
            owesRequest = false;
            source.accept(1);
        }
    }

    synchronized void complete() {
        if (!ended) {
            ended = true;
            sink.onCompleted();
        }
    }

    synchronized void fail(Throwable reason) {
        if (!ended) {
            ended = true;
            sink.onError(reason);
        }
    }

    /** The sink is gone. */
    synchronized void end() {
        ended = true;
    }
}
