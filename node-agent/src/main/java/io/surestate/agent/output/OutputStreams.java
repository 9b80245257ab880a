package io.surestate.agent.output;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.surestate.agent.core.OutputService;
import io.surestate.api.Limits;
import io.surestate.api.v1.AgentsGrpc;
import io.surestate.api.v1.OutputChunk;
import io.surestate.api.v1.OutputRequest;
import io.surestate.api.v1.OutputSource;
import io.surestate.api.v1.SendOutputResponse;
import io.surestate.client.ClusterClient;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of task output that readers wait for. All work is done on the output thread; {@link #handle} may be called from any.
 *
 * <p>A stream sends only as fast as the server takes it, and goes on until the attempt has ended or the reader is gone.
 */
public final class OutputStreams implements OutputService {
    private static final Logger LOG = LoggerFactory.getLogger(OutputStreams.class);

    private final ClusterClient client;
    private final Executor outputThread;
    private final Function<String, Path> folders;
    private final Predicate<String> runs;
    private final Map<String, Stream> streams = new HashMap<>();

    /**
     * @param folders where an allocation's output lies; may be asked for anything
     * @param runs whether an allocation may still write; safe between threads
     */
    public OutputStreams(
            ClusterClient client, Executor outputThread, Function<String, Path> folders, Predicate<String> runs) {
        this.client = client;
        this.outputThread = outputThread;
        this.folders = folders;
        this.runs = runs;
    }

    @Override
    public void handle(OutputRequest request) {
        outputThread.execute(() -> {
            if (request.getCancel()) {
                Optional.ofNullable(streams.remove(request.getStreamId())).ifPresent(Stream::cancel);
            } else if (!streams.containsKey(request.getStreamId())) {
                open(request);
            }
        });
    }

    private void open(OutputRequest request) {
        String name = request.getSource() == OutputSource.OUTPUT_SOURCE_STDERR ? "stderr" : "stdout";
        OutputParts parts = new OutputParts(folders.apply(request.getAllocationId()), name);
        Stream stream = new Stream(request, new OutputTail(parts, request.getOffset()));
        AgentsGrpc.newStub(client.channel(client.endpoints().current())).sendOutput(stream);
        if (streams.size() >= Limits.OUTPUT_STREAMS_MAX) {
            stream.refuse("output streams: " + streams.size() + " (expected: fewer than " + Limits.OUTPUT_STREAMS_MAX
                    + " at one time)");
        } else if (!parts.exists() && !(request.getFollow() && runs.test(request.getAllocationId()))) {
            stream.refuse("output of allocation " + request.getAllocationId() + ": not kept on this node");
        } else {
            streams.put(request.getStreamId(), stream);
            stream.pump();
        }
    }

    /** Sends what has come since; to be called on the output thread every few ten milliseconds. */
    public void poll() {
        List.copyOf(streams.values()).forEach(Stream::pump);
    }

    private final class Stream implements ClientResponseObserver<OutputChunk, SendOutputResponse> {
        private final OutputRequest request;
        private final OutputTail tail;
        private Optional<ClientCallStreamObserver<OutputChunk>> chunks = Optional.empty();

        Stream(OutputRequest request, OutputTail tail) {
            this.request = request;
            this.tail = tail;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<OutputChunk> observer) {
            chunks = Optional.of(observer);
            observer.setOnReadyHandler(() -> outputThread.execute(this::pump));
        }

        private ClientCallStreamObserver<OutputChunk> chunks() {
            return chunks.orElseThrow();
        }

        void pump() {
            if (streams.get(request.getStreamId()) != this) {
                return;
            }
            // Asked before reading: what an ended task wrote is then certainly there to be read.
            boolean more = request.getFollow() && runs.test(request.getAllocationId());
            try {
                while (chunks().isReady()) {
                    Optional<OutputParts.Piece> piece = tail.next();
                    if (piece.isEmpty()) {
                        if (!more) {
                            finish();
                        }
                        return;
                    }
                    chunks().onNext(OutputChunk.newBuilder()
                            .setStreamId(request.getStreamId())
                            .setOffset(piece.get().offset())
                            .setData(piece.get().data())
                            .build());
                }
            } catch (java.io.IOException e) {
                LOG.warn("event=output-unreadable allocation={} error=\"{}\"", request.getAllocationId(), e.toString());
                streams.remove(request.getStreamId());
                refuse("output of allocation " + request.getAllocationId() + ": " + e.getMessage());
            }
        }

        private void finish() {
            streams.remove(request.getStreamId());
            if (!tail.begun()) {
                // The stream id travels in chunks only: an empty output needs one too.
                chunks().onNext(OutputChunk.newBuilder()
                        .setStreamId(request.getStreamId())
                        .build());
            }
            chunks().onCompleted();
        }

        void refuse(String error) {
            chunks().onNext(OutputChunk.newBuilder()
                    .setStreamId(request.getStreamId())
                    .setError(error)
                    .build());
            chunks().onCompleted();
        }

        void cancel() {
            chunks().cancel("the reader is gone", null);
        }

        @Override
        public void onNext(SendOutputResponse response) {}

        @Override
        public void onError(Throwable failure) {
            outputThread.execute(() -> streams.remove(request.getStreamId(), this));
        }

        @Override
        public void onCompleted() {
            outputThread.execute(() -> streams.remove(request.getStreamId(), this));
        }
    }
}
