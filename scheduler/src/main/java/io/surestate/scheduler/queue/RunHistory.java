package io.surestate.scheduler.queue;

import io.surestate.api.Limits;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What jobs of the same user, the same request or both used of the time that they asked for, newest {@value #KEPT} of each. The kinds that
 * were not seen for longest are forgotten beyond {@link Limits#RUN_KINDS_MAX}. Used by one thread.
 */
final class RunHistory {
    private static final int KEPT = 16;
    /** Fewer tell nothing. */
    private static final int ENOUGH = 3;

    private static final long ANY = -1;

    private final Rings<Kind> ratios = new Rings<>();
    private final Rings<Integer> times = new Rings<>();

    private record Kind(long user, long requested) {}

    /** A job ended after {@code ran} seconds. */
    void ended(QueuedJob job, long ran) {
        double ratio = job.requested() == 0 ? 1 : (double) ran / job.requested();
        ratios.push(new Kind(ANY, job.requested()), ratio);
        if (job.hasUser()) {
            ratios.push(new Kind(job.user(), job.requested()), ratio);
            ratios.push(new Kind(job.user(), ANY), ratio);
            times.push(job.user(), (double) ran);
        }
    }

    long predict(Prediction prediction, QueuedJob job) {
        return switch (prediction) {
            case NONE -> job.requested();
            case MEDIAN_RATIO -> clamp(medianRatio(job) * job.requested(), job.requested());
            case LAST_TWO -> lastTwo(job);
        };
    }

    private double medianRatio(QueuedJob job) {
        Optional<Ring> known = Optional.empty();
        if (job.hasUser()) {
            known = telling(new Kind(job.user(), job.requested())).or(() -> telling(new Kind(job.user(), ANY)));
        }
        return known.or(() -> telling(new Kind(ANY, job.requested())))
                .map(Ring::lowerMedian)
                .orElse(1.0);
    }

    private Optional<Ring> telling(Kind kind) {
        return ratios.get(kind).filter(ring -> ring.size >= ENOUGH);
    }

    private long lastTwo(QueuedJob job) {
        return times.get(job.user())
                .filter(ring -> job.hasUser() && ring.size >= 2)
                .map(ring -> clamp((ring.newest(0) + ring.newest(1)) / 2, job.requested()))
                .orElse(job.requested());
    }

    private static long clamp(double seconds, long requested) {
        return Math.min(requested, Math.max(1, (long) Math.floor(seconds)));
    }

    /** Rings by kind, the one that was pushed to longest ago first. */
    private static final class Rings<K> {
        private final Map<K, Ring> rings = new LinkedHashMap<>();

        Optional<Ring> get(K kind) {
            return Optional.ofNullable(rings.get(kind));
        }

        void push(K kind, double value) {
            Ring known = rings.remove(kind);
            Ring ring = known == null ? new Ring() : known;
            ring.push(value);
            rings.put(kind, ring);
            if (rings.size() > Limits.RUN_KINDS_MAX) {
                rings.remove(rings.keySet().iterator().next());
            }
        }
    }

    private static final class Ring {
        private final double[] values = new double[KEPT];
        private int size;
        private int next;

        void push(double value) {
            values[next] = value;
            next = (next + 1) % KEPT;
            size = Math.min(KEPT, size + 1);
        }

        double newest(int back) {
            return values[Math.floorMod(next - 1 - back, KEPT)];
        }

        double lowerMedian() {
            double[] sorted = Arrays.copyOf(values, size);
            Arrays.sort(sorted);
            return sorted[(size - 1) / 2];
        }
    }
}
