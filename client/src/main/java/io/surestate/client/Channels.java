package io.surestate.client;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.surestate.api.Limits;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The client's connections, one per server, on one event loop of its own. Safe between threads.
 *
 * <p>The event loop is not gRPC's shared one, because only our own can be ended at once: a process that has its answer must not
 * wait for idle network threads.
 */
final class Channels implements AutoCloseable {
    private static final int CONNECT_MILLIS_MAX = 3_000;
    private static final int CLOSE_MILLIS_MAX = 500;

    private final EventLoopGroup eventLoop;
    private final Map<Endpoint, ManagedChannel> channels = new HashMap<>();
    private boolean closed;

    Channels(int threads) {
        eventLoop = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("surestate-client", true), NioIoHandler.newFactory());
    }

    /** The channel to {@code endpoint}, ready to connect at once even if it just failed. */
    synchronized ManagedChannel to(Endpoint endpoint) {
        if (closed) {
            throw new IllegalStateException("client: closed (expected: open)");
        }
        ManagedChannel channel = channels.computeIfAbsent(endpoint, this::open);
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
        return channel;
    }

    private ManagedChannel open(Endpoint endpoint) {
        return NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .eventLoopGroup(eventLoop)
                .channelType(NioSocketChannel.class)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX)
                .directExecutor()
                .usePlaintext()
                .disableRetry()
                .disableServiceConfigLookUp()
                .maxInboundMessageSize(Limits.MESSAGE_BYTES_MAX)
                .build();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        channels.values().forEach(ManagedChannel::shutdownNow);
        eventLoop.shutdownGracefully(0, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS_MAX);
    }
}
