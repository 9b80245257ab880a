package io.surestate.scheduler.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Plays jobs on a pool of processors, moment by moment, and keeps what happened. */
final class Played {
    /** A job, and how long it will really take. */
    record Actual(QueuedJob job, long run) {}

    final Map<Long, Long> starts = new LinkedHashMap<>();
    /** Every start that a head was promised, in order. */
    final Map<Long, List<Long>> promises = new TreeMap<>();

    int inUseMax;
    private final JobQueue queue;
    private final ProcessorPool pool;
    private final List<Actual> running = new ArrayList<>();

    private Played(QueueOrder order, Backfill backfill, int processors) {
        queue = new JobQueue(order, backfill);
        pool = new ProcessorPool(processors, queue.predictsEnds());
    }

    static Played of(QueueOrder order, Backfill backfill, int processors, List<Actual> jobs) {
        Played played = new Played(order, backfill, processors);
        played.play(new ArrayList<>(jobs));
        return played;
    }

    private void play(List<Actual> coming) {
        Map<Long, Actual> all = new TreeMap<>();
        coming.forEach(actual -> all.put(actual.job().id(), actual));
        long now = 0;
        while (!coming.isEmpty() || !running.isEmpty()) {
            long at = now;
            running.stream()
                    .filter(actual -> endOf(actual) <= at)
                    .sorted(Comparator.comparingLong(actual -> actual.job().id()))
                    .toList()
                    .forEach(this::end);
            while (!coming.isEmpty() && coming.get(0).job().submitted() <= at) {
                queue.add(coming.remove(0).job());
            }
            for (QueuedJob job : queue.pass(at, watched())) {
                if (starts.putIfAbsent(job.id(), at) != null) {
                    throw new AssertionError("started twice: " + job);
                }
                running.add(Objects.requireNonNull(all.get(job.id())));
            }
            inUseMax = Math.max(inUseMax, pool.total() - pool.free());
            now++;
        }
    }

    private long endOf(Actual actual) {
        return starts.getOrDefault(actual.job().id(), Long.MAX_VALUE) + actual.run();
    }

    private void end(Actual actual) {
        running.remove(actual);
        pool.release(actual.job().id());
        queue.ended(actual.job(), actual.run());
    }

    private Capacity watched() {
        return new Capacity() {
            @Override
            public boolean fits(QueuedJob job) {
                return pool.fits(job);
            }

            @Override
            public int freeAtMost() {
                return pool.freeAtMost();
            }

            @Override
            public void take(QueuedJob job, long now) {
                pool.take(job, now);
            }

            @Override
            public Reservation reserve(QueuedJob head, long now) {
                Reservation reservation = pool.reserve(head, now);
                promises.computeIfAbsent(head.id(), absent -> new ArrayList<>()).add(reservation.at());
                return reservation;
            }
        };
    }
}
