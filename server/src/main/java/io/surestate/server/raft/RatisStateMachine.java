package io.surestate.server.raft;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.surestate.log.v1.LogEntry;
import io.surestate.server.log.LogConsumer;
import io.surestate.server.log.LogConsumer.SnapshotPosition;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Hands what Ratis committed to a {@link LogConsumer}, in order. Ratis calls it on its updater thread; nothing here waits for an apply
 * except taking a snapshot. Each committed index reaches the consumer once: entries that a snapshot already holds are not replayed.
 */
final class RatisStateMachine extends BaseStateMachine {
    private final LogConsumer consumer;
    private final SnapshotShelf shelf;
    private final Runnable leadershipChanged;
    private final Consumer<Throwable> failed;

    /** Last index handed to the consumer. Updater thread, and start-up before it runs. */
    private volatile long handed = RaftLog.INVALID_LOG_INDEX;

    RatisStateMachine(
            LogConsumer consumer, SnapshotShelf shelf, Runnable leadershipChanged, Consumer<Throwable> failed) {
        this.consumer = consumer;
        this.shelf = shelf;
        this.leadershipChanged = leadershipChanged;
        this.failed = failed;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage storage) throws IOException {
        super.initialize(server, groupId, storage);
        shelf.init(storage);
        open();
        getLifeCycle().startAndTransition(() -> {});
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        consumer.suspend();
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** After an install: the shelf holds the leader's snapshot. */
    @Override
    public void reinitialize() {
        shelf.refresh();
        open();
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    private void open() {
        handed = consumer.restore(shelf.newestFolder());
        SnapshotInfo snapshot = shelf.getLatestSnapshot();
        setLastAppliedTermIndex(
                snapshot == null ? TermIndex.valueOf(0, RaftLog.INVALID_LOG_INDEX) : snapshot.getTermIndex());
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return shelf;
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        return shelf.getLatestSnapshot();
    }

    /** Ratis has waited for every apply before; a non-negative answer lets it purge the log up to there. */
    @Override
    public long takeSnapshot() throws IOException {
        Path folder = shelf.newFolder();
        SnapshotPosition position = consumer.snapshot(folder);
        if (position.equals(SnapshotPosition.NONE)) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        shelf.publish(folder, position);
        return position.index();
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return hand(entry.getTerm(), entry.getIndex(), Optional.of(decode(entry)))
                .thenApply(AppliedMessage::new);
    }

    /** Configuration entries and the first entry of a leader; index 0, always one of these, is no revision. */
    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        if (index > Math.max(handed, 0)) {
            super.notifyTermIndexUpdated(term, index);
            hand(term, index, Optional.empty());
        }
    }

    private CompletableFuture<AppliedEntry> hand(long term, long index, Optional<LogEntry> entry) {
        CompletableFuture<AppliedEntry> applied = consumer.committed(new CommittedEntry(term, index, entry));
        handed = index;
        return applied;
    }

    private LogEntry decode(LogEntryProto entry) {
        ByteString data = entry.getStateMachineLogEntry().getLogData();
        try {
            return LogEntry.parseFrom(UnsafeByteOperations.unsafeWrap(data.asReadOnlyByteBuffer()));
        } catch (InvalidProtocolBufferException corrupt) {
            throw new IllegalStateException("log entry " + entry.getIndex() + " cannot be decoded", corrupt);
        }
    }

    /** The read-index round is done by then; the answer is where a view must stand. */
    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(new IndexMessage(handed));
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        leadershipChanged.run();
    }

    @Override
    public void notifyLeaderReady() {
        leadershipChanged.run();
    }

    @Override
    public void notifyNotLeader(java.util.Collection<TransactionContext> pending) {
        leadershipChanged.run();
    }

    @Override
    public void notifyExtendedNoLeader(RoleInfoProto role) {
        leadershipChanged.run();
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto entry) {
        failed.accept(cause);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
        failed.accept(new IllegalStateException("the replicated log was shut down"));
    }

    @Override
    public void close() {
        consumer.suspend();
    }

    /** Carries the applied entry to the proposer on this server; other servers never see it. */
    record AppliedMessage(AppliedEntry applied) implements Message {
        @Override
        public ByteString getContent() {
            return ByteString.EMPTY;
        }
    }

    /** Answer to a read-index query. */
    record IndexMessage(long index) implements Message {
        @Override
        public ByteString getContent() {
            return ByteString.EMPTY;
        }
    }
}
