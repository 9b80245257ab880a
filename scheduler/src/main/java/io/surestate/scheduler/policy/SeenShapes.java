package io.surestate.scheduler.policy;

import io.surestate.scheduler.pool.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often each shape was asked for, by what arrived lately. Older arrivals fade: when the sum reaches a bound all counts are halved.
 * Bounded in distinct shapes, the rarest are forgotten first. Mutable; one thread.
 *
 * <p>Says when it is worth learning anew: often at first; later only when what arrives has become different from
 * what was learned, because a lesson voids every score.
 */
final class SeenShapes {
    private static final int ARRIVALS_KEPT = 16_384;
    private static final int SHAPES_KEPT = 1_024;
    /** Up to so many arrivals lessons come each time that their number grew by a part of itself. */
    private static final int EARLY_MAX = 8_192;

    private static final int EARLY_PART = 4;
    /** Arrivals between two looks whether things changed. */
    private static final int LOOK_EVERY = 1_024;
    /** The part of arrivals that must be of other shapes than at the last lesson. */
    private static final double CHANGED_PART = 0.1;

    /**
     * One shape's part of the arrivals.
     *
     * @param weight 0-1
     */
    record Part(Shape shape, double weight) {}

    private final Map<Shape, Integer> counts = new LinkedHashMap<>();
    private List<Part> learned = List.of();
    private long arrivals;
    private long nextLook = 1;
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
        if (++arrivals < nextLook) {
            return false;
        }
        boolean early = arrivals <= EARLY_MAX;
        nextLook = arrivals + (early ? Math.max(1, arrivals / EARLY_PART) : LOOK_EVERY);
        return early || changedPart() > CHANGED_PART;
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

    /** How much of the arrivals at the last lesson is missing now. */
    private double changedPart() {
        double missing = 0;
        for (Part part : learned) {
            double now = (double) counts.getOrDefault(part.shape, 0) / total;
            missing += Math.max(0, part.weight - now);
        }
        return missing;
    }

    /** Arrivals that the parts were counted from. */
    int total() {
        return total;
    }

    /** What is to be learned from: all shapes with their parts, the most frequent first, of equal ones the one that arrived first. */
    List<Part> lesson() {
        List<Part> parts = new ArrayList<>(counts.size());
        counts.forEach((shape, count) -> parts.add(new Part(shape, (double) count / total)));
        parts.sort(Comparator.comparingDouble(Part::weight).reversed());
        learned = List.copyOf(parts);
        return learned;
    }
}
