package io.surestate.server.api;

import io.surestate.api.v1.GetReadIndexRequest;
import io.surestate.api.v1.GetReadIndexResponse;
import io.surestate.api.v1.GetTermRequest;
import io.surestate.api.v1.GetTermResponse;
import io.surestate.api.v1.PeersGrpc;
import io.surestate.server.log.Peers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks other servers over their client ports. */
public final class GrpcPeers implements Peers {
    private static final long ANSWER_MILLIS_MAX = 1_000;

    private final ServerChannels channels;

    public GrpcPeers(ServerChannels channels) {
        this.channels = channels;
    }

    @Override
    public CompletableFuture<Long> term(String serverId) {
        FutureReply<GetTermResponse> reply = new FutureReply<>();
        stub(serverId).getTerm(GetTermRequest.getDefaultInstance(), reply);
        return reply.future().thenApply(GetTermResponse::getTerm);
    }

    @Override
    public CompletableFuture<Long> readIndex(String serverId) {
        FutureReply<GetReadIndexResponse> reply = new FutureReply<>();
        stub(serverId).getReadIndex(GetReadIndexRequest.getDefaultInstance(), reply);
        return reply.future().thenApply(GetReadIndexResponse::getIndex);
    }

    private PeersGrpc.PeersStub stub(String serverId) {
        return PeersGrpc.newStub(channels.to(serverId)).withDeadlineAfter(ANSWER_MILLIS_MAX, TimeUnit.MILLISECONDS);
    }
}
