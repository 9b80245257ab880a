package io.surestate.server.raft;

import com.google.protobuf.CodedOutputStream;
import io.surestate.log.v1.LogEntry;
import io.surestate.server.log.Leadership;
import io.surestate.server.log.LogConsumer;
import io.surestate.server.log.ProposalFailedException;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.server.raft.RatisStateMachine.AppliedMessage;
import io.surestate.server.raft.RatisStateMachine.IndexMessage;
import io.surestate.statemachine.AppliedEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The replicated log on Apache Ratis. Thread-safe. Proposals and reads are submitted inside the process, each with a call id of its own;
 * a follower refuses proposals with a hint and serves reads by asking the leader for its index.
 */
public final class RatisLog implements ReplicatedLog {
    private final RaftSettings settings;
    private final LogConsumer consumer;
    private final RaftServer server;
    private final RaftPeerId self;
    private final RaftGroupId groupId;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong callIds = new AtomicLong();
    private final long reachableWithinMillis;
    private final Object leadershipLock = new Object();
    private volatile Leadership leadership = Leadership.UNKNOWN;
    private volatile boolean closing;

    /** Opens the server's state through the consumer; takes part only after {@link #start()}. */
    public RatisLog(RaftSettings settings, LogConsumer consumer) {
        this.settings = settings;
        this.consumer = consumer;
        this.self = RaftPeerId.valueOf(settings.self());
        this.groupId =
                RaftGroupId.valueOf(UUID.nameUUIDFromBytes(settings.clusterId().getBytes(StandardCharsets.UTF_8)));
        this.reachableWithinMillis = 2 * settings.electionTimeoutMin().toMillis();
        List<RaftPeer> peers = settings.peers().stream()
                .map(peer -> RaftPeer.newBuilder()
                        .setId(peer.id())
                        .setAddress(peer.address())
                        .build())
                .toList();
        SnapshotShelf shelf = new SnapshotShelf(settings.folder());
        try {
            this.server = RaftServer.newBuilder()
                    .setServerId(self)
                    .setGroup(RaftGroup.valueOf(groupId, peers))
                    .setStateMachine(new RatisStateMachine(consumer, shelf, this::refreshLeadership, this::failed))
                    .setProperties(settings.toProperties())
                    .setParameters(new Parameters())
                    .setOption(RaftStorage.StartupOption.RECOVER)
                    .build();
        } catch (IOException cannotOpen) {
            throw new UncheckedIOException(cannotOpen);
        }
    }

    public void start() {
        try {
            server.start();
        } catch (IOException cannotStart) {
            throw new UncheckedIOException(cannotStart);
        }
    }

    @Override
    public CompletableFuture<AppliedEntry> propose(LogEntry entry) {
        return submit(Message.valueOf(encode(entry)), RaftClientRequest.writeRequestType())
                .thenApply(reply -> ((AppliedMessage) reply.getMessage()).applied());
    }

    @Override
    public CompletableFuture<Long> readIndex() {
        return submit(Message.EMPTY, RaftClientRequest.readRequestType())
                .thenApply(reply -> ((IndexMessage) reply.getMessage()).index());
    }

    private CompletableFuture<RaftClientReply> submit(Message message, RaftClientRequest.Type type) {
        if (closing) {
            return CompletableFuture.failedFuture(ProposalFailedException.rejected("the server is stopping"));
        }
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(self)
                .setGroupId(groupId)
                .setCallId(callIds.incrementAndGet())
                .setMessage(message)
                .setType(type)
                .build();
        CompletableFuture<RaftClientReply> reply;
        try {
            reply = server.submitClientRequestAsync(request);
        } catch (IOException refused) {
            return CompletableFuture.failedFuture(
                    ProposalFailedException.rejected(String.valueOf(refused.getMessage())));
        }
        // Only an answer that is there at once was given before anything was appended: a leader that steps down later
        // also says "not
        // leader", and its successor may commit the entry all the same.
        boolean beforeAppend = reply.isDone();
        return reply.handle((answer, failure) -> {
            if (failure != null) {
                throw ProposalFailedException.unknown(String.valueOf(failure.getMessage()));
            }
            RaftException refused = answer.getException();
            if (refused == null && answer.isSuccess()) {
                return answer;
            }
            throw beforeAppend ? refusal(refused) : ProposalFailedException.unknown(String.valueOf(refused));
        });
    }

    private void failed(Throwable cause) {
        if (!closing) {
            consumer.failed(cause);
        }
    }

    private static ProposalFailedException refusal(@org.jspecify.annotations.Nullable RaftException refused) {
        if (refused instanceof NotLeaderException notLeader) {
            RaftPeer leader = notLeader.getSuggestedLeader();
            return ProposalFailedException.notLeader(
                    leader == null
                            ? Optional.empty()
                            : Optional.of(leader.getId().toString()));
        }
        if (refused instanceof LeaderNotReadyException) {
            return ProposalFailedException.rejected("the new leader is not ready yet");
        }
        return ProposalFailedException.unknown(String.valueOf(refused));
    }

    private static ByteString encode(LogEntry entry) {
        byte[] bytes = new byte[entry.getSerializedSize()];
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            entry.writeTo(out);
            out.checkNoSpaceLeft();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    @Override
    public Leadership leadership() {
        return leadership;
    }

    /** Reads the truth from Ratis and tells the consumer what changed; terms never go back. */
    private void refreshLeadership() {
        Leadership changed;
        synchronized (leadershipLock) {
            Optional<Leadership> seen = observe();
            if (seen.isEmpty() || seen.get().equals(leadership) || seen.get().term() < leadership.term()) {
                return;
            }
            changed = seen.get();
            leadership = changed;
            consumer.leadershipChanged(changed);
        }
    }

    private Optional<Leadership> observe() {
        try {
            DivisionInfo info = server.getDivision(groupId).getInfo();
            if (info.isLeader()) {
                return Optional.of(Leadership.leader(info.getCurrentTerm(), settings.self(), info.isLeaderReady()));
            }
            RaftPeerId leader = info.getLeaderId();
            return Optional.of(Leadership.follower(
                    info.getCurrentTerm(), Optional.ofNullable(leader).map(RaftPeerId::toString)));
        } catch (IOException notThereYet) {
            return Optional.empty();
        }
    }

    /** Leadership can end without a call from Ratis; to be called now and then. */
    public void poll() {
        refreshLeadership();
    }

    @Override
    public List<PeerState> peers() {
        Map<String, Boolean> reachable = new HashMap<>();
        try {
            RoleInfoProto role = server.getDivision(groupId).getInfo().getRoleInfoProto();
            if (role.getRole() == RaftPeerRole.LEADER) {
                for (ServerRpcProto follower : role.getLeaderInfo().getFollowerInfoList()) {
                    reachable.put(
                            follower.getId().getId().toStringUtf8(),
                            follower.getLastRpcElapsedTimeMs() < reachableWithinMillis);
                }
            } else if (role.hasFollowerInfo()) {
                FollowerInfoProto info = role.getFollowerInfo();
                reachable.put(
                        info.getLeaderInfo().getId().getId().toStringUtf8(),
                        info.getLeaderInfo().getLastRpcElapsedTimeMs() < reachableWithinMillis);
            }
        } catch (IOException notThereYet) {
            reachable.clear();
        }
        reachable.put(settings.self(), true);
        return settings.peers().stream()
                .map(peer -> new PeerState(peer.id(), reachable.getOrDefault(peer.id(), false)))
                .sorted(Comparator.comparing(PeerState::id))
                .toList();
    }

    @Override
    public void close() {
        closing = true;
        try {
            server.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
