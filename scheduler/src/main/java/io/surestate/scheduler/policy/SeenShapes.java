package io.surestate.scheduler.policy;

import io.surestate.scheduler.pool.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often each shape was asked for, by what arrived lately. Older arrivals fade: when the sum reaches a bound all counts are halved.
 * Bounded in distinct shapes, the rarest are forgotten first. Says when it is worth learning anew: at doubling numbers of arrivals, later
 * at a steady pace. Mutable; one thread.
 */
final class SeenShapes {
    /** Arrivals at the first lesson: something is known before the first decision. */
    static final int FIRST_LEARNED_AT = 1;
    /** Arrivals between two lessons, once there were that many. */
    static final int LEARNED_EVERY = 1_024;

    private static final int ARRIVALS_KEPT = 16_384;
    private static final int SHAPES_KEPT = 1_024;

    /**
     * One shape's part of the arrivals.
     *
     * @param weight 0-1
     */
    record Part(Shape shape, double weight) {}

    private final Map<Shape, Integer> counts = new LinkedHashMap<>();
    private long arrivals;
    private long nextLesson = FIRST_LEARNED_AT;
    private int total;

    /** Counts an arrival and says whether it is time to learn. */
    boolean observe(Shape shape) {
        counts.merge(shape, 1, Integer::sum);
        total++;
        if (total >= ARRIVALS_KEPT) {
            halve();
        }
        if (counts.size() > SHAPES_KEPT) {
            forgetRarest();
        }
        if (++arrivals < nextLesson) {
            return false;
        }
        nextLesson = arrivals + Math.min(arrivals, LEARNED_EVERY);
        return true;
    }

    private void halve() {
        counts.replaceAll((shape, count) -> count / 2);
        counts.values().removeIf(count -> count == 0);
        recount();
    }

    private void forgetRarest() {
        List<Integer> sorted = counts.values().stream().sorted().toList();
        int median = sorted.get(sorted.size() / 2);
        counts.values().removeIf(count -> count <= median);
        recount();
    }

    private void recount() {
        total = counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** All shapes with their parts, the most frequent first; equally frequent ones in the order of their first arrival. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>(counts.size());
        counts.forEach((shape, count) -> parts.add(new Part(shape, (double) count / total)));
        parts.sort(Comparator.comparingDouble(Part::weight).reversed());
        return parts;
    }
}
