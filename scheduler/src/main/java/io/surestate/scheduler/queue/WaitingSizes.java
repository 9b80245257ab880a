package io.surestate.scheduler.queue;

import java.util.Map;
import java.util.TreeMap;

/**
 * How wide and how long the jobs of a queue are: tells without a look at each whether any of them could start. Used by one thread.
 */
final class WaitingSizes {
    /** By processors, then by believed seconds: how many. */
    private final TreeMap<Integer, TreeMap<Long, Integer>> counts = new TreeMap<>();

    void add(int processors, long seconds) {
        counts.computeIfAbsent(processors, absent -> new TreeMap<>()).merge(seconds, 1, Integer::sum);
    }

    void remove(int processors, long seconds) {
        TreeMap<Long, Integer> ofWidth = counts.getOrDefault(processors, new TreeMap<>());
        ofWidth.computeIfPresent(seconds, (same, count) -> count == 1 ? null : count - 1);
        if (ofWidth.isEmpty()) {
            counts.remove(processors);
        }
    }

    /** Whether there is a job of at most {@code free} processors that takes at most {@code seconds} or has at most {@code spare}. */
    boolean any(int free, long seconds, long spare) {
        for (Map.Entry<Integer, TreeMap<Long, Integer>> ofWidth :
                counts.headMap(free, true).entrySet()) {
            if (ofWidth.getKey() <= spare || ofWidth.getValue().firstKey() <= seconds) {
                return true;
            }
        }
        return false;
    }
}
