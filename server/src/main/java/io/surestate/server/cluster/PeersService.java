package io.surestate.server.cluster;

import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.GetReadIndexRequest;
import io.surestate.api.v1.GetReadIndexResponse;
import io.surestate.api.v1.GetTermRequest;
import io.surestate.api.v1.GetTermResponse;
import io.surestate.api.v1.PeersGrpc;
import io.surestate.server.api.LeaderCalls;
import io.surestate.server.api.Replies;
import io.surestate.server.log.ReadIndexRounds;
import io.surestate.server.log.ReplicatedLog;
import java.util.concurrent.CompletableFuture;

/** Answers other servers about leadership. */
public final class PeersService extends PeersGrpc.PeersImplBase {
    private final ReplicatedLog log;
    private final ReadIndexRounds readIndex;
    private final LeaderCalls leaderCalls;

    public PeersService(ReplicatedLog log, ReadIndexRounds readIndex, LeaderCalls leaderCalls) {
        this.log = log;
        this.readIndex = readIndex;
        this.leaderCalls = leaderCalls;
    }

    @Override
    public void getTerm(GetTermRequest request, StreamObserver<GetTermResponse> caller) {
        Replies.read(
                caller,
                () -> CompletableFuture.completedFuture(
                        GetTermResponse.newBuilder().setTerm(log.currentTerm()).build()));
    }

    /** A follower never passes the question on: two servers that each think the other leads would ask each other for ever. */
    @Override
    public void getReadIndex(GetReadIndexRequest request, StreamObserver<GetReadIndexResponse> caller) {
        Replies.read(caller, () -> {
            if (!leaderCalls.leading()) {
                throw leaderCalls.notLeader();
            }
            return readIndex
                    .next()
                    .thenApply(index ->
                            GetReadIndexResponse.newBuilder().setIndex(index).build());
        });
    }
}
