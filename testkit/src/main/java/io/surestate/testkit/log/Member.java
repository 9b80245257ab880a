package io.surestate.testkit.log;

import io.surestate.log.v1.LogEntry;
import io.surestate.server.log.LeaderConfirmation;
import io.surestate.server.log.Leadership;
import io.surestate.server.log.LogConsumer;
import io.surestate.server.log.Peers;
import io.surestate.server.log.ProposalFailedException;
import io.surestate.statemachine.AppliedEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One member of the group: what its disk holds, and what it knows while it runs. All calls under the oracle's lock. */
final class Member {
    private final String id;
    private final LogOracle oracle;
    private final MemberPeers peers;

    // On disk.
    private LogNode tip;
    /** Everything up to here survives a crash; of what was written after it, some may. */
    private LogNode forced;

    private long term;
    private Optional<Snapshot> snapshot = Optional.empty();
    private long purged;

    // While it runs.
    private @Nullable LogConsumer consumer;
    private int life;
    private LogNode commit;
    private long delivered;
    private boolean delivering;
    private boolean leading;
    private boolean ready;
    private Optional<String> leaderId = Optional.empty();
    private final Map<String, Long> matched = new TreeMap<>();
    private final TreeMap<Long, Pending> pending = new TreeMap<>();
    private Leadership leadership = Leadership.UNKNOWN;

    /** A snapshot and the entry that it stands at. */
    record Snapshot(Path folder, LogNode node) {}

    private record Pending(LogNode node, CompletableFuture<AppliedEntry> answer) {}

    /** All that a leader tells a follower. */
    private record Append(
            String from, long term, LogNode tip, long commitIndex, long purged, Optional<Snapshot> snapshot) {}

    Member(String id, LogOracle oracle, LogNode root) {
        this.id = id;
        this.oracle = oracle;
        this.tip = root;
        this.forced = root;
        this.commit = root;
        this.peers = new MemberPeers(this, oracle);
    }

    String id() {
        return id;
    }

    boolean running() {
        return consumer != null;
    }

    /** Changes with every start and crash, so that what belongs to an earlier life is told apart. */
    int life() {
        return life;
    }

    LogNode tip() {
        return tip;
    }

    long term() {
        return term;
    }

    long commitIndex() {
        return commit.index();
    }

    boolean leading() {
        return leading;
    }

    Leadership leadership() {
        return leadership;
    }

    void start(LogConsumer newConsumer) {
        life++;
        consumer = newConsumer;
        delivered = newConsumer.restore(snapshot.map(Snapshot::folder));
        commit = tip.at(delivered);
        leading = false;
        ready = false;
        leaderId = Optional.empty();
        leadership = Leadership.UNKNOWN;
        announce();
    }

    /** What was in memory is gone, and some of what was not forced; nobody hears of what was pending. */
    void crash() {
        life++;
        tip = tip.at(forced.index() + oracle.kept(tip.index() - forced.index()));
        snapshot.map(Snapshot::node).filter(node -> node.index() > tip.index()).ifPresent(node -> tip = node);
        forced = tip;
        consumer = null;
        leading = false;
        ready = false;
        matched.clear();
        pending.clear();
    }

    boolean snapshot(Path folder, long entriesKept) {
        LogConsumer open = consumer;
        if (open == null || delivered == snapshot.map(s -> s.node().index()).orElse(0L)) {
            return false;
        }
        int mine = life;
        LogConsumer.SnapshotPosition position = open.snapshot(folder);
        if (life != mine || position.equals(LogConsumer.SnapshotPosition.NONE)) {
            return false;
        }
        snapshot = Optional.of(new Snapshot(folder, commit.at(position.index())));
        purged = Math.max(purged, position.index() - entriesKept);
        return true;
    }

    CompletableFuture<AppliedEntry> propose(LogEntry entry) {
        if (!running()) {
            return CompletableFuture.failedFuture(ProposalFailedException.rejected("the log is not open"));
        }
        if (!leading) {
            return CompletableFuture.failedFuture(ProposalFailedException.notLeader(leaderId));
        }
        if (!ready) {
            return CompletableFuture.failedFuture(ProposalFailedException.rejected("the new leader is not ready yet"));
        }
        CompletableFuture<AppliedEntry> answer = new CompletableFuture<>();
        tip = tip.append(term, Optional.of(entry));
        pending.put(tip.index(), new Pending(tip, answer));
        broadcast();
        whenForced(tip, this::advanceCommit);
        return answer;
    }

    CompletableFuture<Long> readIndex() {
        if (!running()) {
            return CompletableFuture.failedFuture(ProposalFailedException.rejected("the log is not open"));
        }
        if (!leading) {
            return leaderId.filter(leader -> !leader.equals(id))
                    .map(peers::readIndex)
                    .orElseGet(
                            () -> CompletableFuture.failedFuture(ProposalFailedException.notLeader(Optional.empty())));
        }
        return readIndexAsLeader();
    }

    /** A member that does not lead never passes the question on. */
    CompletableFuture<Long> readIndexAsLeader() {
        if (!leading) {
            return CompletableFuture.failedFuture(ProposalFailedException.notLeader(leaderId));
        }
        if (!ready) {
            return CompletableFuture.failedFuture(ProposalFailedException.rejected("the new leader is not ready yet"));
        }
        long committed = commit.index();
        Peers asked = peers;
        return LeaderConfirmation.ask(term, oracle.others(id), asked).thenApply(confirmed -> committed);
    }

    void becomeLeader(long newTerm) {
        term = newTerm;
        leading = true;
        ready = false;
        leaderId = Optional.of(id);
        matched.clear();
        tip = tip.append(newTerm, Optional.empty());
        announce();
        broadcast();
        whenForced(tip, this::advanceCommit);
    }

    /** Runs once a node of this log is safe on disk, unless a crash or another leader's entries come between. */
    private void whenForced(LogNode node, Runnable then) {
        if (node.index() <= forced.index()) {
            then.run();
            return;
        }
        int mine = life;
        oracle.force(id, () -> {
            if (life == mine && node.isIn(tip)) {
                forced = node.index() > forced.index() ? node : forced;
                then.run();
            }
        });
    }

    /** Another term, or no leader any more: what is pending may or may not be committed, by others. */
    void follow(long newTerm, Optional<String> leader) {
        boolean wasLeading = leading;
        term = newTerm;
        leading = false;
        ready = false;
        leaderId = leader;
        announce();
        if (wasLeading) {
            List<Pending> abandoned = new ArrayList<>(pending.values());
            pending.clear();
            abandoned.forEach(open -> open.answer.completeExceptionally(
                    ProposalFailedException.unknown("the leader changed before it was confirmed")));
        }
    }

    /** Tells the others everything that this leader has. */
    void broadcast() {
        if (!leading) {
            return;
        }
        Append append = new Append(id, term, tip, commit.index(), purged, snapshot);
        for (String other : oracle.others(id)) {
            Member to = oracle.member(other);
            oracle.send(id, other, () -> to.receive(append), () -> {});
        }
    }

    private void receive(Append append) {
        if (!running()) {
            return;
        }
        if (append.term < term) {
            answer(append, 0);
            return;
        }
        if (append.term > term || !leaderId.equals(Optional.of(append.from))) {
            follow(append.term, Optional.of(append.from));
        }
        LogNode common = LogNode.common(tip, append.tip);
        if (common.index() < append.purged && append.snapshot.isPresent() && !install(append.snapshot.get())) {
            return;
        }
        if (common != append.tip) {
            tip = append.tip;
            forced = LogNode.common(forced, tip);
        }
        long known = Math.min(append.commitIndex, append.tip.index());
        if (known > commit.index()) {
            commit = append.tip.at(known);
        }
        deliver();
        whenForced(append.tip, () -> answer(append, append.tip.index()));
    }

    /** False = the member crashed in the middle of it: the snapshot is not its own. */
    private boolean install(Snapshot from) {
        LogConsumer open = open();
        int mine = life;
        open.suspend();
        if (life != mine) {
            return false;
        }
        long restored = open.restore(Optional.of(from.folder()));
        if (life != mine) {
            return false;
        }
        delivered = restored;
        snapshot = Optional.of(from);
        purged = from.node().index();
        tip = from.node();
        forced = tip;
        if (from.node().index() > commit.index()) {
            commit = from.node();
        }
        return true;
    }

    private void answer(Append append, long matchedIndex) {
        Member leader = oracle.member(append.from);
        long mine = term;
        oracle.send(id, append.from, () -> leader.acknowledged(id, mine, append.term, matchedIndex), () -> {});
    }

    private void acknowledged(String from, long termOfFollower, long termOfAppend, long matchedIndex) {
        if (!running()) {
            return;
        }
        if (termOfFollower > term) {
            follow(termOfFollower, Optional.empty());
        } else if (leading && termOfAppend == term) {
            matched.merge(from, matchedIndex, Math::max);
            advanceCommit();
        }
    }

    private void advanceCommit() {
        List<Long> indexes = new ArrayList<>(matched.values());
        indexes.add(forced.index());
        while (indexes.size() < oracle.size()) {
            indexes.add(0L);
        }
        indexes.sort((one, other) -> Long.compare(other, one));
        long agreed = indexes.get(oracle.size() / 2);
        if (leading && agreed > commit.index() && tip.at(agreed).term() == term) {
            commit = tip.at(agreed);
            oracle.committed(commit);
            deliver();
            broadcast();
        }
    }

    private void deliver() {
        if (delivering) {
            return;
        }
        delivering = true;
        try {
            while (running() && delivered < commit.index()) {
                for (LogNode node : commit.after(delivered)) {
                    delivered = node.index();
                    hand(node, open().committed(node.committed()));
                }
            }
        } finally {
            delivering = false;
        }
    }

    private void hand(LogNode node, CompletableFuture<AppliedEntry> applied) {
        Pending open = pending.remove(node.index());
        int mine = life;
        boolean firstOfTerm =
                leading && node.term() == term && node.committed().entry().isEmpty();
        applied.whenComplete((entry, failure) -> oracle.locked(() -> {
            if (life != mine) {
                return;
            }
            if (firstOfTerm && failure == null && leading && term == node.term()) {
                ready = true;
                announce();
            }
            if (open == null) {
                return;
            }
            if (open.node == node && failure == null) {
                open.answer.complete(entry);
            } else {
                open.answer.completeExceptionally(ProposalFailedException.unknown("not applied here"));
            }
        }));
    }

    private void announce() {
        Leadership now = leading ? Leadership.leader(term, id, ready) : Leadership.follower(term, leaderId);
        if (!now.equals(leadership)) {
            leadership = now;
            open().leadershipChanged(now);
        }
    }

    private LogConsumer open() {
        LogConsumer open = consumer;
        if (open == null) {
            throw new IllegalStateException("member " + id + " does not run");
        }
        return open;
    }

    @Override
    public String toString() {
        return id + " term " + term + (leading ? " leading" : "") + (ready ? " ready" : "") + " tip " + tip.index()
                + " forced " + forced.index() + " commit " + commit.index() + " delivered " + delivered;
    }
}
