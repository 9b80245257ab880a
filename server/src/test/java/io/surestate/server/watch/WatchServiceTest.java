package io.surestate.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.Label;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.WatchGrpc;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.Reads;
import io.surestate.server.apply.Views;
import io.surestate.server.fixture.LoneServer;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.state.Change;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Watches over a real connection, with a small feed. */
@Timeout(60)
class WatchServiceTest {
    private static final int WINDOW = 64;
    private static final int LABEL_CHARS = 64 << 10;

    private final LoneServer lone = LoneServer.leading();
    private final Views views = lone.core().applyLoop().views();
    private final WatchFeed feed = new WatchFeed(WINDOW, 100_000);
    private final ExecutorService turns = Executors.newSingleThreadExecutor();
    private final Server server;
    private final ManagedChannel channel;
    private long revision = views.newest().revision();

    WatchServiceTest() throws IOException {
        WatchOpening opening =
                new WatchOpening(feed, new Reads(views, lone.core().readIndex()), views);
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new WatchService(feed, opening, turns, Authorizer.allowAll(), System::nanoTime))
                .build()
                .start();
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
    }

    @BeforeEach
    void begin() {
        feed.restored(views.newest());
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.shutdownNow();
        turns.shutdownNow();
    }

    /** A reader that takes only what it asks for. */
    private static final class Reader extends ClientCall.Listener<WatchResponse> {
        private final BlockingQueue<WatchResponse> got = new LinkedBlockingQueue<>();
        private final CompletableFuture<ErrorDetail> end = new CompletableFuture<>();

        @Override
        public void onMessage(WatchResponse message) {
            got.add(message);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            com.google.rpc.Status full = StatusProto.fromThrowable(status.asRuntimeException(trailers));
            try {
                Any detail = full == null ? Any.pack(ErrorDetail.getDefaultInstance()) : full.getDetails(0);
                end.complete(detail.unpack(ErrorDetail.class));
            } catch (InvalidProtocolBufferException foreign) {
                end.completeExceptionally(foreign);
            }
        }

        WatchResponse take() throws InterruptedException {
            WatchResponse message = got.poll(30, TimeUnit.SECONDS);
            assertThat(message).isNotNull();
            return java.util.Objects.requireNonNull(message);
        }
    }

    private ClientCall<WatchRequest, WatchResponse> watch(Reader reader, WatchRequest request) {
        ClientCall<WatchRequest, WatchResponse> call =
                channel.newCall(WatchGrpc.getWatchChangesMethod(), CallOptions.DEFAULT);
        call.start(reader, new Metadata());
        call.request(1);
        call.sendMessage(request);
        call.halfClose();
        return call;
    }

    private void apply(int labelChars) {
        revision++;
        Node node = Node.newBuilder()
                .setName("n" + revision)
                .setSpec(NodeSpec.newBuilder()
                        .addLabels(Label.newBuilder().setKey("k").setValue("x".repeat(labelChars))))
                .build();
        feed.applied(List.of(new AppliedEntry(revision, revision, List.of(), List.of(new Change.NodePut(node)))));
    }

    @Test
    void aReaderThatStopsReadingIsCutWithTheTokenOfTheLastWholeRevision() throws Exception {
        Reader slow = new Reader();
        ClientCall<WatchRequest, WatchResponse> call = watch(slow, WatchRequest.getDefaultInstance());
        long begun = slow.take().getRevision();
        Reader quick = new Reader();
        ClientCall<WatchRequest, WatchResponse> other = watch(quick, WatchRequest.getDefaultInstance());
        other.request(1_000);
        quick.take();
        // Far more than the connection buffers.
        for (int i = 0; i < 3 * WINDOW; i++) {
            apply(LABEL_CHARS);
            assertThat(quick.take().getRevision()).isEqualTo(revision);
        }
        call.request(1_000);
        ErrorDetail cut = slow.end.get(30, TimeUnit.SECONDS);
        assertThat(cut.getCode()).isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED);
        long place = ResumeToken.decode(cut.getResumeToken()).revision();
        assertThat(slow.got).extracting(WatchResponse::getRevision).isSorted().endsWith(place);
        assertThat(place).isBetween(begun, revision - WINDOW / 2);
    }

    @Test
    void aReaderThatWentAwayIsForgotten() throws Exception {
        Reader reader = new Reader();
        ClientCall<WatchRequest, WatchResponse> call = watch(reader, WatchRequest.getDefaultInstance());
        reader.take();
        call.cancel("enough", null);
        Reader next = new Reader();
        watch(next, WatchRequest.getDefaultInstance()).request(10);
        next.take();
        apply(1);
        assertThat(next.take().getRevision()).isEqualTo(revision);
    }

    @Test
    void aBadRequestIsAnswered() throws Exception {
        Reader reader = new Reader();
        watch(reader, WatchRequest.newBuilder().setResumeToken("nonsense").build());
        assertThat(reader.end.get(30, TimeUnit.SECONDS).getCode()).isEqualTo(ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
    }
}
