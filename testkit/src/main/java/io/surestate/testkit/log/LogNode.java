package io.surestate.testkit.log;

import io.surestate.log.v1.LogEntry;
import io.surestate.statemachine.CommittedEntry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry with all that stands before it. A member's log is its last node, so that two logs agree up to the node where their chains
 * meet. Immutable.
 */
final class LogNode {
    private final @Nullable LogNode parent;
    private final long index;
    private final long term;
    private final CommittedEntry committed;

    private LogNode(@Nullable LogNode parent, long index, long term, CommittedEntry committed) {
        this.parent = parent;
        this.index = index;
        this.term = term;
        this.committed = committed;
    }

    /** Before the first entry. */
    static LogNode root() {
        return new LogNode(null, 0, 0, CommittedEntry.empty(0, 1));
    }

    /** A new entry after this one; empty = the first of a term. */
    LogNode append(long newTerm, Optional<LogEntry> entry) {
        long next = index + 1;
        CommittedEntry committedEntry = entry.map(content -> CommittedEntry.of(newTerm, next, content))
                .orElseGet(() -> CommittedEntry.empty(newTerm, next));
        return new LogNode(this, next, newTerm, committedEntry);
    }

    long index() {
        return index;
    }

    long term() {
        return term;
    }

    CommittedEntry committed() {
        return committed;
    }

    /** The node at an index that is not greater than this one's. */
    LogNode at(long wanted) {
        LogNode node = this;
        while (node.index > wanted) {
            node = node.before();
        }
        return node;
    }

    /** Nodes after an index up to this one, ascending. */
    Iterable<LogNode> after(long from) {
        Deque<LogNode> path = new ArrayDeque<>();
        for (LogNode node = this; node.index > from; node = node.before()) {
            path.addFirst(node);
        }
        return path;
    }

    /** The last node that both chains have. */
    static LogNode common(LogNode one, LogNode other) {
        long lower = Math.min(one.index, other.index);
        LogNode left = one.at(lower);
        LogNode right = other.at(lower);
        while (left != right) {
            left = left.before();
            right = right.before();
        }
        return left;
    }

    boolean isIn(LogNode chain) {
        return index <= chain.index && chain.at(index) == this;
    }

    /** Raft's comparison of logs: by the last term, then by length. */
    boolean atLeastAsNewAs(LogNode other) {
        return term > other.term || (term == other.term && index >= other.index);
    }

    private LogNode before() {
        if (parent == null) {
            throw new IllegalStateException("there is nothing before the first entry");
        }
        return parent;
    }
}
