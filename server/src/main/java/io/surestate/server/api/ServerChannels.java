package io.surestate.server.api;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.surestate.api.Limits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Connections to the client ports of all servers, opened when first used. Thread-safe. */
public final class ServerChannels implements AutoCloseable {
    private final Map<String, String> addresses;
    private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

    /** Addresses (host:port) by server id. */
    public ServerChannels(Map<String, String> addresses) {
        this.addresses = Map.copyOf(addresses);
    }

    public ManagedChannel to(String serverId) {
        return channels.computeIfAbsent(
                serverId,
                id -> NettyChannelBuilder.forTarget(address(id))
                        .usePlaintext()
                        .maxInboundMessageSize(Limits.MESSAGE_BYTES_MAX)
                        .build());
    }

    /** Empty for an unknown server. */
    String address(String serverId) {
        return addresses.getOrDefault(serverId, "");
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }
}
