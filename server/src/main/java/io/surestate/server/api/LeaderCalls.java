package io.surestate.server.api;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.surestate.api.v1.ErrorCode;
import io.surestate.server.log.Leadership;
import io.surestate.server.log.ReplicatedLog;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Passes a request on to the leader, so that any server takes any request. A request travels on at most once: a server that gets a
 * forwarded one and does not lead refuses with NOT_LEADER and a hint. Thread-safe.
 */
public final class LeaderCalls {
    private static final Metadata.Key<String> FORWARDED =
            Metadata.Key.of("surestate-forwarded", Metadata.ASCII_STRING_MARSHALLER);
    private static final Context.Key<Boolean> IS_FORWARDED = Context.keyWithDefault("surestate-forwarded", false);

    private final ReplicatedLog log;
    private final String self;
    private final ServerChannels channels;

    public LeaderCalls(ReplicatedLog log, String self, ServerChannels channels) {
        this.log = log;
        this.self = self;
        this.channels = channels;
    }

    /** Whether this server should answer by itself. */
    public boolean leading() {
        return log.leadership().leading();
    }

    /** Client address of the leader, empty if none is known. */
    public String leaderHint() {
        return log.leadership().leaderId().map(channels::address).orElse("");
    }

    /** Sends a unary request to the leader. Fails with {@link Refused} if none is known or the request was forwarded already. */
    public <Q, R> CompletableFuture<R> unary(MethodDescriptor<Q, R> method, Q request) {
        FutureReply<R> reply = new FutureReply<>();
        ClientCalls.asyncUnaryCall(leaderChannel().newCall(method, options()), request, reply);
        return reply.future();
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
        return ClientInterceptors.intercept(channels.to(leader.get()), MetadataUtils.newAttachHeadersInterceptor(mark));
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
}
