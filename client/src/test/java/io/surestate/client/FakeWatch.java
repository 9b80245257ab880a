package io.surestate.client;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchGrpc;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on a real port that tells each watch what stands next in its script, then ends it or leaves it open. */
final class FakeWatch extends WatchGrpc.WatchImplBase implements AutoCloseable {
    final List<WatchRequest> asked = new CopyOnWriteArrayList<>();
    private final Queue<Scene> script = new ConcurrentLinkedQueue<>();
    private final Server server;

    private record Scene(List<WatchResponse> messages, Optional<ErrorDetail> end) {}

    FakeWatch() {
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(this)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Endpoint endpoint() {
        return new Endpoint("127.0.0.1", server.getPort());
    }

    FakeWatch then(ErrorDetail end, WatchResponse... messages) {
        script.add(new Scene(List.of(messages), Optional.of(end)));
        return this;
    }

    FakeWatch thenStays(WatchResponse... messages) {
        script.add(new Scene(List.of(messages), Optional.empty()));
        return this;
    }

    static ErrorDetail gone() {
        return FakeServer.refusal(ErrorCode.ERROR_CODE_UNAVAILABLE);
    }

    /** A whole revision with a token that is its number. */
    static WatchResponse revision(long revision, String... jobs) {
        return message(revision, true, false, jobs);
    }

    static WatchResponse fragment(long revision, String... jobs) {
        return message(revision, false, false, jobs);
    }

    static WatchResponse list(long revision, String... jobs) {
        return message(revision, true, true, jobs);
    }

    static WatchResponse listPart(long revision, String... jobs) {
        return message(revision, false, true, jobs);
    }

    private static WatchResponse message(long revision, boolean last, boolean initial, String... jobs) {
        List<WatchEvent> events = new ArrayList<>();
        for (String job : jobs) {
            events.add(WatchEvent.newBuilder()
                    .setJob(Job.newBuilder().setUid(job).setRevision(revision))
                    .build());
        }
        return WatchResponse.newBuilder()
                .setRevision(revision)
                .setTimeMillis(revision * 1_000)
                .addAllEvents(events)
                .setLastInRevision(last)
                .setInitial(initial)
                .setResumeToken(last ? "after-" + revision : "")
                .build();
    }

    @Override
    public void watchChanges(WatchRequest request, StreamObserver<WatchResponse> caller) {
        asked.add(request);
        Scene scene = script.poll();
        if (scene != null) {
            scene.messages.forEach(caller::onNext);
            scene.end.ifPresent(end -> caller.onError(FakeServer.status(end)));
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
