package io.surestate.testkit.sim;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/**
 * Virtual time: what is to happen, by time and, at the same time, in an order that the seed decides. Keeps a hash over everything that
 * happened and the last lines of it. One thread.
 */
final class EventQueue {
    private static final int TAIL_LINES_MAX = 2_000;
    private static final long HASH_PRIME = 1_099_511_628_211L;

    private final PriorityQueue<Event> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Event::millis).thenComparingLong(Event::order));
    private final Deque<String> tail = new ArrayDeque<>();
    private final Map<String, Integer> counted = new TreeMap<>();
    private final Random random;
    private long nowMillis;
    private long happened;
    private long hash = 17;

    private record Event(long millis, long order, String label, Runnable work) {}

    EventQueue(Random random) {
        this.random = random;
    }

    long nowMillis() {
        return nowMillis;
    }

    long happened() {
        return happened;
    }

    /** Equal for two runs only if the same things happened at the same times. */
    long hash() {
        return hash;
    }

    /** Runs it that much later. */
    void after(long millis, String label, Runnable work) {
        waiting.add(new Event(nowMillis + Math.max(0, millis), random.nextLong(), label, work));
    }

    /** Adds a line of what goes on now. */
    void note(String line) {
        mix(line.hashCode());
        int end = line.indexOf(' ');
        count(end < 0 ? line : line.substring(0, end));
        tail.addLast(nowMillis + " " + line);
        if (tail.size() > TAIL_LINES_MAX) {
            tail.removeFirst();
        }
    }

    /** Counts something that is too frequent for a line. */
    void count(String kind) {
        counted.merge(kind, 1, Integer::sum);
    }

    /** How often each kind of line, by its first word, was added. */
    Map<String, Integer> counted() {
        return Collections.unmodifiableMap(counted);
    }

    private void mix(long value) {
        hash = (hash ^ value) * HASH_PRIME;
    }

    List<String> tail() {
        return List.copyOf(tail);
    }

    /** Lets the next thing happen; false = nothing does up to that time, to which the clock was put. */
    boolean step(long untilMillis) {
        Event next = waiting.peek();
        if (next == null || next.millis > untilMillis) {
            nowMillis = Math.max(nowMillis, untilMillis);
            return false;
        }
        waiting.remove();
        nowMillis = next.millis;
        happened++;
        mix(next.millis);
        mix(next.label.hashCode());
        if (!next.label.isEmpty()) {
            note(next.label);
        }
        next.work.run();
        return true;
    }
}
