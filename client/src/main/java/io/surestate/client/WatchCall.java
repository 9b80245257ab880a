package io.surestate.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.surestate.api.Limits;
import io.surestate.api.v1.WatchGrpc;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** One watch at one server. Takes in a few messages ahead of its reader, which is one thread; {@link #cancel} may come from any. */
final class WatchCall {
    /** What arrives. */
    sealed interface Item {}

    record Told(WatchResponse message) implements Item {}

    /** The watch is over at this server. */
    record Over(StatusRuntimeException why) implements Item {}

    private final Endpoint endpoint;
    private final ClientCall<WatchRequest, WatchResponse> call;
    /** The messages that were asked for, and the end. */
    private final BlockingQueue<Item> arrived = new ArrayBlockingQueue<>(Limits.WATCH_MESSAGES_AHEAD_MAX + 1);

    private WatchCall(Endpoint endpoint, ClientCall<WatchRequest, WatchResponse> call) {
        this.endpoint = endpoint;
        this.call = call;
    }

    static WatchCall open(ClusterClient client, WatchRequest request) {
        Endpoint endpoint = client.endpoints().current();
        WatchCall watch = new WatchCall(
                endpoint, client.channel(endpoint).newCall(WatchGrpc.getWatchChangesMethod(), CallOptions.DEFAULT));
        watch.call.start(watch.new Arrivals(), new Metadata());
        watch.call.request(Limits.WATCH_MESSAGES_AHEAD_MAX);
        watch.call.sendMessage(request);
        watch.call.halfClose();
        return watch;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** The next message or the end; empty = nothing came in that time. */
    Optional<Item> poll(long millis) throws InterruptedException {
        Item item = arrived.poll(millis, TimeUnit.MILLISECONDS);
        if (item instanceof Told) {
            call.request(1);
        }
        return Optional.ofNullable(item);
    }

    void cancel() {
        call.cancel("the reader is gone", null);
    }

    /** On the network thread. The queue has room for all that was asked for. */
    private final class Arrivals extends ClientCall.Listener<WatchResponse> {
        @Override
        public void onMessage(WatchResponse message) {
            arrived.add(new Told(message));
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            Status why = status.isOk() ? Status.UNAVAILABLE.withDescription("watch: ended by the server") : status;
            arrived.add(new Over(why.asRuntimeException(trailers)));
        }
    }
}
