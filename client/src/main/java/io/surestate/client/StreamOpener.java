package io.surestate.client;

import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import java.util.Iterator;

/** Opens one stream of answers at the server that is to be asked now. Used by the calling thread only. */
final class StreamOpener<Q, R> {
    /**
     * A stream that was asked for.
     *
     * @param cancellation ends it
     */
    record Opened<R>(Endpoint endpoint, Iterator<R> answers, Context.CancellableContext cancellation) {}

    private final ClusterClient client;
    private final MethodDescriptor<Q, R> method;
    private final Q request;

    StreamOpener(ClusterClient client, MethodDescriptor<Q, R> method, Q request) {
        this.client = client;
        this.method = method;
        this.request = request;
    }

    Opened<R> open() {
        Endpoint endpoint = client.endpoints().current();
        Context.CancellableContext cancellation = Context.ROOT.withCancellation();
        Context before = cancellation.attach();
        try {
            Iterator<R> answers = ClientCalls.blockingServerStreamingCall(
                    client.channel(endpoint), method, CallOptions.DEFAULT, request);
            return new Opened<>(endpoint, answers, cancellation);
        } finally {
            cancellation.detach(before);
        }
    }
}
