package io.surestate.agent.core;

import java.util.Map;
import java.util.TreeMap;

/**
 * How long this node may go on without hearing from the leader. Agent thread only; times in milliseconds on the boot clock.
 *
 * <p>Counted from the moment at which the acknowledged heartbeat was sent: the leader cannot have counted from an earlier one.
 */
final class Lease {
    private static final int IN_FLIGHT_MAX = 64;

    private final TreeMap<Long, Long> sentMillis = new TreeMap<>();
    private long deadlineMillis;
    private long lastSequence;

    Lease(long deadlineMillis) {
        this.deadlineMillis = deadlineMillis;
    }

    /** A heartbeat leaves now. Returns its sequence. */
    long sent(long nowMillis) {
        lastSequence++;
        sentMillis.put(lastSequence, nowMillis);
        if (sentMillis.size() > IN_FLIGHT_MAX) {
            sentMillis.pollFirstEntry();
        }
        return lastSequence;
    }

    /**
     * A heartbeat was acknowledged.
     *
     * @param leaseMillis 0 = not renewed
     */
    void acknowledged(long sequence, long leaseMillis) {
        Long sent = sentMillis.get(sequence);
        if (sent == null) {
            return;
        }
        sentMillis.headMap(sequence, true).clear();
        if (leaseMillis > 0) {
            deadlineMillis = Math.max(deadlineMillis, sent + leaseMillis);
        }
    }

    /** Moment at which the oldest heartbeat without an answer was sent, or {@code otherwise}. */
    long oldestUnansweredMillis(long otherwise) {
        Map.Entry<Long, Long> first = sentMillis.firstEntry();
        return first == null ? otherwise : first.getValue();
    }

    /** Heartbeats of a stream that is gone are answered by nobody. */
    void streamGone() {
        sentMillis.clear();
    }

    boolean valid(long nowMillis) {
        return nowMillis < deadlineMillis;
    }

    long deadlineMillis() {
        return deadlineMillis;
    }
}
