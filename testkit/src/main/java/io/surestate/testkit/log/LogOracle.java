package io.surestate.testkit.log;

import io.surestate.server.log.LogConsumer;
import io.surestate.statemachine.CommittedEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A group of members that agree on one log, by Raft's contract and with an oracle's knowledge instead of its protocol: elections happen
 * in one moment, on demand; entries travel, wait, are kept or lost, and are committed by a majority as in Raft. Checks on the way that
 * what was committed once stays. Thread-safe: everything happens under one lock, which consumers and the network are called with.
 */
public final class LogOracle {
    private final Network network;
    private final Disk disk;
    private final long entriesKept;
    private final TreeMap<String, Member> members = new TreeMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<Long, Long> committedAtElection = new TreeMap<>();
    private LogNode committed = LogNode.root();
    private long lastTerm;

    /** Entries are on disk at once. */
    public LogOracle(List<String> ids, Network network, long entriesKept) {
        this(ids, network, Disk.immediate(), entriesKept);
    }

    /** @param entriesKept log entries that a member keeps before its snapshot, for those behind; who is further behind installs it */
    public LogOracle(List<String> ids, Network network, Disk disk, long entriesKept) {
        this.network = network;
        this.disk = disk;
        this.entriesKept = entriesKept;
        ids.forEach(id -> members.put(id, new Member(id, this, committed)));
    }

    /** A group that hears everything at once, for tests without faults. */
    public static LogOracle immediate(List<String> ids) {
        return new LogOracle(ids, Network.immediate(), Long.MAX_VALUE);
    }

    /** The log of one member, which takes part once it is started. Opening again after a crash begins a new life on the same disk. */
    public OracleLog open(String id, LogConsumer consumer) {
        return new OracleLog(this, member(id), consumer);
    }

    /** Ends a member in this moment; its disk stays. */
    public void crash(String id) {
        locked(() -> member(id).crash());
    }

    /** Makes a member the leader of a new term, if a majority that it reaches would elect it. */
    public boolean elect(String id) {
        return locked(() -> {
            if (!electable(id)) {
                return false;
            }
            lastTerm++;
            committedAtElection.put(lastTerm, committed.index());
            reached(id)
                    .filter(member -> !member.id().equals(id))
                    .forEach(member -> member.follow(lastTerm, Optional.empty()));
            member(id).becomeLeader(lastTerm);
            return true;
        });
    }

    /** Whether a majority that the member reaches has no newer log than it has. */
    public boolean electable(String id) {
        return locked(() -> {
            Member candidate = member(id);
            long votes = reached(id)
                    .filter(voter -> candidate.tip().atLeastAsNewAs(voter.tip()))
                    .count();
            return candidate.running() && votes > size() / 2;
        });
    }

    private java.util.stream.Stream<Member> reached(String id) {
        return members.values().stream()
                .filter(Member::running)
                .filter(other -> other.id().equals(id) || network.connected(id, other.id()));
    }

    /** A leader gives up, as one does that has not heard from a majority for long. */
    public void stepDown(String id) {
        locked(() -> {
            Member member = member(id);
            if (member.leading()) {
                member.follow(member.term(), Optional.empty());
            }
        });
    }

    /** Every member that thinks it leads tells the others what it has. To be called now and then where messages get lost. */
    public void heartbeat() {
        locked(() -> members.values().stream().filter(Member::running).forEach(Member::broadcast));
    }

    /** Snapshots a member's state into a folder that is not there yet, and purges its log; false = nothing new to write. */
    public boolean snapshot(String id, Path folder) {
        return locked(() -> member(id).snapshot(folder, entriesKept));
    }

    /** The member that leads the newest term, if it runs and has not given up. */
    public Optional<String> leader() {
        return locked(() -> members.values().stream()
                .filter(member -> member.leading() && member.term() == lastTerm)
                .map(Member::id)
                .findFirst());
    }

    /** Index of the last entry that a majority agreed on. */
    public long committedIndex() {
        return locked(() -> committed.index());
    }

    /** What was committed when the leader of a term was elected: it must know all of that before it does anything. */
    public long committedAtElection(long term) {
        return locked(() -> committedAtElection.getOrDefault(term, 0L));
    }

    /** A committed entry. */
    public CommittedEntry entry(long index) {
        return locked(() -> committed.at(index).committed());
    }

    /** For people who look for what went wrong. */
    public String describe(String id) {
        return locked(() -> member(id).toString());
    }

    void committed(LogNode node) {
        // A leader that was replaced meanwhile may learn late that a majority has what it sent.
        LogNode older = node.index() < committed.index() ? node : committed;
        LogNode newer = older == node ? committed : node;
        if (!older.isIn(newer)) {
            throw new IllegalStateException("entry " + older.index() + " of term " + older.term()
                    + " was committed and is not in the log that was committed up to " + newer.index() + " in term "
                    + newer.term());
        }
        committed = newer;
    }

    void send(String from, String to, Runnable arrival, Runnable lost) {
        network.send(from, to, () -> locked(arrival), () -> locked(lost));
    }

    void force(String id, Runnable done) {
        disk.force(id, () -> locked(done));
    }

    long kept(long unforced) {
        return disk.kept(unforced);
    }

    List<String> others(String id) {
        return members.keySet().stream().filter(other -> !other.equals(id)).toList();
    }

    int size() {
        return members.size();
    }

    Member member(String id) {
        return Optional.ofNullable(members.get(id))
                .orElseThrow(
                        () -> new IllegalArgumentException("member: " + id + " (expected: " + members.keySet() + ")"));
    }

    void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
