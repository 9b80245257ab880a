package io.surestate.server.node;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.OutputChunk;
import io.surestate.api.v1.OutputRequest;
import io.surestate.api.v1.ReadOutputResponse;
import io.surestate.api.v1.SendOutputResponse;
import io.surestate.server.api.Refused;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Joins a reader of task output with the stream that the task's agent opens for it. One chunk at a time is asked from the agent, and
 * only while the reader takes more, so that nothing piles up here. Thread-safe.
 */
public final class OutputRelay {
    private static final int READERS_MAX = 1_000;

    private final AgentHub hub;
    private final String self;
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, Reader> readers = new ConcurrentHashMap<>();

    public OutputRelay(AgentHub hub, String self) {
        this.hub = hub;
        this.self = self;
    }

    /** Asks the node's agent for output and sends it to the caller as it comes; {@code request} needs no stream id. */
    public void read(String node, OutputRequest request, StreamObserver<ReadOutputResponse> caller) {
        if (readers.size() >= READERS_MAX) {
            throw Refused.exhausted(
                    "output readers: " + readers.size() + " (expected: fewer than " + READERS_MAX + ")");
        }
        String id = self + "-" + ids.incrementAndGet();
        ServerCallStreamObserver<ReadOutputResponse> out = (ServerCallStreamObserver<ReadOutputResponse>) caller;
        Reader reader = new Reader(id, out);
        readers.put(id, reader);
        out.setOnReadyHandler(reader::askForMore);
        out.setOnCancelHandler(() -> {
            readers.remove(id);
            reader.hangUp();
            OutputRequest cancel =
                    request.toBuilder().setStreamId(id).setCancel(true).build();
            hub.onLoop(() -> hub.requestOutput(node, cancel));
        });
        OutputRequest asked = request.toBuilder().setStreamId(id).build();
        hub.onLoop(() -> {
            if (!hub.requestOutput(node, asked)) {
                finish(
                        reader,
                        Refused.of(
                                ErrorCode.ERROR_CODE_UNAVAILABLE,
                                "node: " + node + " is not connected (expected: its agent to be running)"));
            }
        });
    }

    /** The agent's answering stream. */
    StreamObserver<OutputChunk> receive(ServerCallStreamObserver<SendOutputResponse> toAgent) {
        toAgent.disableAutoRequest();
        toAgent.request(1);
        return new StreamObserver<>() {
            private @Nullable Reader reader;

            @Override
            public void onNext(OutputChunk chunk) {
                Reader joined = reader;
                if (joined == null) {
                    joined = readers.get(chunk.getStreamId());
                    if (joined == null) {
                        toAgent.onError(Refused.of(ErrorCode.ERROR_CODE_NOT_FOUND, "stream: nobody reads it any more")
                                .toGrpc());
                        return;
                    }
                    joined.join(toAgent);
                    reader = joined;
                }
                if (chunk.getError().isEmpty()) {
                    joined.deliver(chunk);
                } else {
                    finish(joined, Refused.of(ErrorCode.ERROR_CODE_NOT_FOUND, chunk.getError()));
                }
            }

            @Override
            public void onError(Throwable broken) {
                if (reader != null) {
                    finish(
                            reader,
                            Refused.of(ErrorCode.ERROR_CODE_UNAVAILABLE, "output: the agent's stream broke off"));
                }
            }

            @Override
            public void onCompleted() {
                if (reader != null) {
                    readers.remove(reader.id);
                    reader.complete();
                }
                toAgent.onNext(SendOutputResponse.getDefaultInstance());
                toAgent.onCompleted();
            }
        };
    }

    private void finish(Reader reader, Refused reason) {
        readers.remove(reader.id);
        reader.fail(reason);
    }

    /** One reading call. */
    private static final class Reader {
        private final String id;
        private final OneWay<ReadOutputResponse> way;
        private volatile @Nullable ServerCallStreamObserver<SendOutputResponse> source;

        Reader(String id, ServerCallStreamObserver<ReadOutputResponse> out) {
            this.id = id;
            this.way = new OneWay<>(this::request, out);
        }

        void join(ServerCallStreamObserver<SendOutputResponse> agent) {
            source = agent;
        }

        private void request(int messages) {
            ServerCallStreamObserver<SendOutputResponse> joined = source;
            if (joined != null) {
                joined.request(messages);
            }
        }

        void deliver(OutputChunk chunk) {
            way.pass(ReadOutputResponse.newBuilder()
                    .setData(chunk.getData())
                    .setOffset(chunk.getOffset())
                    .build());
        }

        void askForMore() {
            way.askForMore();
        }

        void complete() {
            way.complete();
        }

        void fail(Refused reason) {
            way.fail(reason.toGrpc());
        }

        void hangUp() {
            way.end();
            ServerCallStreamObserver<SendOutputResponse> joined = source;
            if (joined != null && !joined.isCancelled()) {
                joined.onError(Refused.of(ErrorCode.ERROR_CODE_NOT_FOUND, "stream: the reader hung up")
                        .toGrpc());
            }
        }
    }
}
