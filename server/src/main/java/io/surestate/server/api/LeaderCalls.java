package io.surestate.server.api;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.server.log.Leadership;
import io.surestate.server.log.ReplicatedLog;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Passes a request on to the leader, so that any server takes any request. A request travels on at most once: a server that gets a
 * forwarded one and does not lead refuses with NOT_LEADER and a hint. Thread-safe.
 */
public final class LeaderCalls implements AutoCloseable {
    private static final Metadata.Key<String> FORWARDED =
            Metadata.Key.of("surestate-forwarded", Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<Boolean> IS_FORWARDED = Context.keyWithDefault("surestate-forwarded", false);

    private final ReplicatedLog log;
    private final String self;
    private final Map<String, String> clientAddresses;
    private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

    /** Addresses (host:port of the client port) by server id. */
    public LeaderCalls(ReplicatedLog log, String self, Map<String, String> clientAddresses) {
        this.log = log;
        this.self = self;
        this.clientAddresses = Map.copyOf(clientAddresses);
    }

    /** Whether this server should answer by itself. */
    public boolean leading() {
        return log.leadership().leading();
    }

    /** Client address of the leader, empty if none is known. */
    public String leaderHint() {
        return log.leadership()
                .leaderId()
                .map(id -> clientAddresses.getOrDefault(id, ""))
                .orElse("");
    }

    /** Sends a unary request to the leader. Fails with {@link Refused} if none is known or the request was forwarded already. */
    public <Q, R> CompletableFuture<R> unary(MethodDescriptor<Q, R> method, Q request) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        ClientCalls.asyncUnaryCall(leaderChannel().newCall(method, options()), request, new StreamObserver<>() {
            @Override
            public void onNext(R reply) {
                answer.complete(reply);
            }

            @Override
            public void onError(Throwable failure) {
                answer.completeExceptionally(failure);
            }

            @Override
            public void onCompleted() {
                // The reply came before.
            }
        });
        return answer;
    }

    /** Channel to the leader that marks what it sends as forwarded. */
    public Channel leaderChannel() {
        if (IS_FORWARDED.get()) {
            throw notLeader();
        }
        Leadership leadership = log.leadership();
        Optional<String> leader = leadership.leaderId().filter(id -> !id.equals(self));
        if (leader.isEmpty()) {
            throw Refused.of(
                    ErrorCode.ERROR_CODE_UNAVAILABLE,
                    "leader: none known (expected: a quorum of servers that reach each other)");
        }
        Metadata mark = new Metadata();
        mark.put(FORWARDED, self);
        return ClientInterceptors.intercept(channelTo(leader.get()), MetadataUtils.newAttachHeadersInterceptor(mark));
    }

    /** Channel to any server's client port, for questions that each answers for itself. */
    public Channel channelTo(String serverId) {
        return channels.computeIfAbsent(
                serverId,
                id -> NettyChannelBuilder.forTarget(clientAddresses.getOrDefault(id, ""))
                        .usePlaintext()
                        .maxInboundMessageSize(Limits.MESSAGE_BYTES_MAX)
                        .build());
    }

    /** Refusal with a hint where to go. */
    public Refused notLeader() {
        String hint = leaderHint();
        return new Refused(Refused.detail(
                        ErrorCode.ERROR_CODE_NOT_LEADER,
                        "server: " + self + " (expected: the leader"
                                + (hint.isEmpty() ? ", none known yet" : ", " + hint) + ")")
                .setLeaderHint(hint)
                .build());
    }

    private static CallOptions options() {
        return CallOptions.DEFAULT.withDeadlineAfter(RequestDeadline.remainingMillis(), TimeUnit.MILLISECONDS);
    }

    /** Remembers, for the length of a call, that another server sent it on. */
    public static ServerInterceptor recogniseForwarded() {
        return new ServerInterceptor() {
            @Override
            public <Q, R> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                Context context = Context.current().withValue(IS_FORWARDED, headers.containsKey(FORWARDED));
                return Contexts.interceptCall(context, call, headers, next);
            }
        };
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }
}
