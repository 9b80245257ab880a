package io.surestate.server.cluster;

import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.surestate.api.Limits;
import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.FreezeRequest;
import io.surestate.api.v1.FreezeResponse;
import io.surestate.api.v1.GetDigestRequest;
import io.surestate.api.v1.GetDigestResponse;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.GetStatusResponse;
import io.surestate.api.v1.ListServersRequest;
import io.surestate.api.v1.ListServersResponse;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Server;
import io.surestate.api.v1.ServerRole;
import io.surestate.api.v1.SetAcceleratorRequest;
import io.surestate.api.v1.SetAcceleratorResponse;
import io.surestate.api.v1.UnfreezeRequest;
import io.surestate.api.v1.UnfreezeResponse;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.FreezeCluster;
import io.surestate.log.v1.SetAccelerator;
import io.surestate.log.v1.UnfreezeCluster;
import io.surestate.server.api.ApiContext;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.LeaderCalls;
import io.surestate.server.api.Problems;
import io.surestate.server.api.Reads;
import io.surestate.server.api.Refused;
import io.surestate.server.api.Replies;
import io.surestate.server.api.ServerChannels;
import io.surestate.server.apply.ApplyLoop;
import io.surestate.server.commit.ClusterClock;
import io.surestate.server.log.Leadership;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.server.request.Mutations;
import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.Counts;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Answers for the cluster and for this server. */
public final class ClusterService extends ClusterGrpc.ClusterImplBase {
    private static final long PEER_ANSWER_MILLIS = 1_000;

    private final Server self;
    private final Mutations mutations;
    private final Authorizer authorizer;
    private final List<Server> servers;
    private final Reads reads;
    private final LeaderCalls leader;
    private final ReplicatedLog log;
    private final ApplyLoop applyLoop;
    private final ClusterClock clock;
    private final ServerChannels channels;

    /** {@code servers} as configured, with ids and addresses. */
    public ClusterService(
            String selfId,
            Mutations mutations,
            List<Server> servers,
            ApiContext api,
            ServerChannels channels,
            ReplicatedLog log,
            ApplyLoop applyLoop,
            ClusterClock clock) {
        this.self = servers.stream()
                .filter(server -> server.getId().equals(selfId))
                .findFirst()
                .orElseThrow();
        this.servers = List.copyOf(servers);
        this.mutations = mutations;
        this.authorizer = api.authorizer();
        this.reads = api.reads();
        this.leader = api.leader();
        this.channels = channels;
        this.log = log;
        this.applyLoop = applyLoop;
        this.clock = clock;
    }

    @Override
    public void getStatus(GetStatusRequest request, StreamObserver<GetStatusResponse> caller) {
        Replies.read(caller, () -> {
            // Only the leader knows whom it reaches; without one, or where an old answer will do, this server says what
            // it knows.
            boolean elsewhere = !leader.leading()
                    && !leader.leaderHint().isEmpty()
                    && !request.getRead().getStale();
            return elsewhere
                    ? leader.unary(ClusterGrpc.getGetStatusMethod(), request)
                    : reads.view(request.getRead()).thenApply(this::status);
        });
    }

    @Override
    public void freeze(FreezeRequest request, StreamObserver<FreezeResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Authorizer.Action.FREEZE_CLUSTER);
            Problems.duration("for", request.getForMillis(), Limits.FREEZE_MILLIS_MIN, Limits.FREEZE_MILLIS_MAX);
            return mutations.submit(new Mutations.Ask<>(
                    ClusterGrpc.getFreezeMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setFreezeCluster(FreezeCluster.newBuilder().setForMillis(request.getForMillis())),
                    done -> FreezeResponse.newBuilder()
                            .setMeta(done.outcome().getMeta())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    @Override
    public void unfreeze(UnfreezeRequest request, StreamObserver<UnfreezeResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Authorizer.Action.FREEZE_CLUSTER);
            return mutations.submit(new Mutations.Ask<>(
                    ClusterGrpc.getUnfreezeMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder().setUnfreezeCluster(UnfreezeCluster.getDefaultInstance()),
                    done -> UnfreezeResponse.newBuilder()
                            .setMeta(done.outcome().getMeta())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    @Override
    public void setAccelerator(SetAcceleratorRequest request, StreamObserver<SetAcceleratorResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Authorizer.Action.SET_ACCELERATOR);
            return mutations.submit(new Mutations.Ask<>(
                    ClusterGrpc.getSetAcceleratorMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setSetAccelerator(SetAccelerator.newBuilder().setAccelerator(request.getAccelerator())),
                    done -> SetAcceleratorResponse.newBuilder()
                            .setMeta(done.outcome().getMeta())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    private GetStatusResponse status(StateView view) {
        Map<NodeState, Integer> nodes = new EnumMap<>(NodeState.class);
        for (NodeEntry entry : view.state().nodes()) {
            nodes.merge(entry.node().getStatus().getState(), 1, Integer::sum);
        }
        Counts counts = view.state().counts();
        Leadership leadership = log.leadership();
        List<ReplicatedLog.PeerState> peers = log.peers();
        return GetStatusResponse.newBuilder()
                .setMeta(view.state().meta())
                .setLeaderId(leadership.leaderId().orElse(""))
                .setTerm(leadership.term())
                .setRevision(view.revision())
                .setNodesReady(nodes.getOrDefault(NodeState.NODE_STATE_READY, 0))
                .setNodesSuspected(nodes.getOrDefault(NodeState.NODE_STATE_SUSPECTED, 0))
                .setNodesLost(nodes.getOrDefault(NodeState.NODE_STATE_LOST, 0))
                .setJobsPending(counts.pendingJobs())
                .setJobsActive(counts.runningJobs() + counts.stoppingJobs())
                .setJobsFinished(view.state().meta().getFinishedJobs())
                .setAllocations(counts.allocations())
                .setServersReachable((int) peers.stream()
                        .filter(ReplicatedLog.PeerState::reachable)
                        .count())
                .setServersTotal(peers.size())
                .setVersion(self.getVersion())
                .setTimeMillis(clock.millis())
                .build();
    }

    @Override
    public void listServers(ListServersRequest request, StreamObserver<ListServersResponse> caller) {
        Replies.read(caller, () -> {
            List<CompletableFuture<Server>> answers = new ArrayList<>();
            answers.add(CompletableFuture.completedFuture(myself()));
            if (!request.getOnlySelf()) {
                servers.stream()
                        .filter(server -> !server.getId().equals(self.getId()))
                        .forEach(server -> answers.add(ask(server)));
            }
            return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                    .thenApply(all -> ListServersResponse.newBuilder()
                            .addAllServers(answers.stream()
                                    .map(CompletableFuture::join)
                                    .toList())
                            .build());
        });
    }

    private Server myself() {
        Leadership leadership = log.leadership();
        ServerRole role = leadership.leading()
                ? ServerRole.SERVER_ROLE_LEADER
                : leadership.leaderId().isPresent()
                        ? ServerRole.SERVER_ROLE_FOLLOWER
                        : ServerRole.SERVER_ROLE_CANDIDATE;
        return self.toBuilder()
                .setRole(role)
                .setTerm(leadership.term())
                .setAppliedRevision(applyLoop.views().newest().revision())
                .build();
    }

    /** What another server says of itself; UNREACHABLE if it does not answer. */
    private CompletableFuture<Server> ask(Server other) {
        CompletableFuture<Server> answer = new CompletableFuture<>();
        CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(PEER_ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        ClientCalls.asyncUnaryCall(
                channels.to(other.getId()).newCall(ClusterGrpc.getListServersMethod(), soon),
                ListServersRequest.newBuilder().setOnlySelf(true).build(),
                new StreamObserver<>() {
                    @Override
                    public void onNext(ListServersResponse reply) {
                        answer.complete(reply.getServers(0));
                    }

                    @Override
                    public void onError(Throwable unreachable) {
                        answer.complete(other.toBuilder()
                                .setRole(ServerRole.SERVER_ROLE_UNREACHABLE)
                                .build());
                    }

                    @Override
                    public void onCompleted() {
                        // The answer came before.
                    }
                });
        return answer;
    }

    @Override
    public void getDigest(GetDigestRequest request, StreamObserver<GetDigestResponse> caller) {
        Replies.read(
                caller,
                () -> CompletableFuture.completedFuture(applyLoop
                        .withEngine(engine -> digest(engine, request.getRevision()))
                        .orElseThrow(() -> Refused.of(
                                ErrorCode.ERROR_CODE_UNAVAILABLE,
                                "state: a snapshot is being installed (expected: try again)"))));
    }

    private GetDigestResponse digest(StateEngine engine, long revision) {
        return engine.digest(revision)
                .map(digest -> GetDigestResponse.newBuilder()
                        .setDigest(digest.toBuilder().setServerId(self.getId()))
                        .setOldestRevision(engine.oldestDigest())
                        .build())
                .orElseThrow(() -> Refused.of(
                        ErrorCode.ERROR_CODE_NOT_FOUND,
                        "revision: " + revision + " (expected: " + engine.oldestDigest() + "-"
                                + engine.view().revision() + ")"));
    }
}
