package io.surestate.scheduler.queue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Jobs that wait, under one order and one rule of backfill. A pass starts what may start now. It costs a look at each job that waits where
 * one of them may start, and next to nothing where none may; jobs that came and went cost nothing. Used by one thread; times in seconds.
 */
public final class JobQueue {
    private final QueueOrder order;
    private final Backfill backfill;
    private final Prediction prediction;
    private final RunHistory history = new RunHistory();

    /** The same jobs three times: by the key of the order, by the key of the backfill, by arrival. */
    private final TreeSet<Place> front = new TreeSet<>();

    private final TreeSet<Place> fill = new TreeSet<>();
    private final TreeSet<Place> arrivals = new TreeSet<>();
    private final WaitingSizes sizes = new WaitingSizes();
    private final Map<Long, QueuedJob> waiting = new LinkedHashMap<>();
    /** Ids of waiting jobs of users, where those may be predicted anew. */
    private final Map<Integer, TreeSet<Long>> byUser = new LinkedHashMap<>();

    private Optional<Blocked> blocked = Optional.empty();

    public JobQueue(QueueOrder order, Backfill backfill) {
        this.order = order;
        this.backfill = backfill;
        this.prediction = order.prediction() == Prediction.NONE ? backfill.prediction() : order.prediction();
    }

    /** Whether a capacity for this queue should believe predicted run times. */
    public boolean predictsEnds() {
        return backfill.prediction() != Prediction.NONE;
    }

    public int size() {
        return front.size();
    }

    public boolean isEmpty() {
        return front.isEmpty();
    }

    /** A job came; its prediction is made here. */
    public void add(QueuedJob job) {
        insert(predict(job));
    }

    /** A job that waits will not run. Nothing if it does not wait. */
    public void remove(long id) {
        QueuedJob job = waiting.get(id);
        if (job != null) {
            delete(job);
            blocked = blocked.filter(head -> head.id != id);
        }
    }

    /** A job that this queue started ended after {@code ran} seconds. */
    public void ended(QueuedJob job, long ran) {
        if (prediction != Prediction.NONE) {
            history.ended(job, ran);
            TreeSet<Long> ofUser = byUser.get(job.user());
            if (ofUser != null) {
                predictAnew(List.copyOf(ofUser));
            }
        }
    }

    /** Jobs of one user; those that ask for the same are predicted the same. */
    private void predictAnew(List<Long> ids) {
        Map<Long, Long> predictions = new LinkedHashMap<>();
        for (Long id : ids) {
            QueuedJob old = waiting.get(id);
            if (old != null) {
                long predicted =
                        predictions.computeIfAbsent(old.requested(), requested -> history.predict(prediction, old));
                if (predicted != old.predicted()) {
                    rekey(old, old.withPredicted(predicted));
                }
            }
        }
    }

    /** Starts what may start now, in the order of the result; each was taken from {@code capacity}. */
    public List<QueuedJob> pass(long now, Capacity capacity) {
        List<QueuedJob> started = new ArrayList<>();
        Optional<QueuedJob> head = startFromFront(now, capacity, started);
        if (head.isPresent() && backfill != Backfill.NONE && capacity.freeAtMost() > 0) {
            fill(head.get(), now, capacity, started);
        }
        return started;
    }

    /** Starts from the front while it fits; the first job that does not is the head. */
    private Optional<QueuedJob> startFromFront(long now, Capacity capacity, List<QueuedJob> started) {
        while (!front.isEmpty()) {
            QueuedJob next = blocked.map(head -> known(head.id)).orElseGet(() -> next(now));
            if (!capacity.fits(next)) {
                if (backfill.headStays() && blocked.isEmpty()) {
                    blocked = Optional.of(new Blocked(next.id(), capacity.reserve(next, now)));
                }
                return Optional.of(next);
            }
            blocked = Optional.empty();
            start(next, now, capacity, started);
        }
        return Optional.empty();
    }

    private QueuedJob next(long now) {
        QueuedJob oldest = known(arrivals.first().job.id());
        return now - oldest.submitted() > order.guardSeconds() ? oldest : front.first().job;
    }

    private void fill(QueuedJob head, long now, Capacity capacity, List<QueuedJob> started) {
        Reservation reservation = blocked.map(Blocked::reservation).orElseGet(() -> capacity.reserve(head, now));
        List<QueuedJob> fillers = new ArrayList<>();
        Iterator<Place> places = fill.iterator();
        boolean more = mayFill(now, capacity, reservation);
        while (more && places.hasNext()) {
            QueuedJob job = places.next().job;
            if (job.id() != head.id() && capacity.fits(job) && backfill.admits(job, now, reservation)) {
                if (reservation.endOf(job, now) > reservation.at()) {
                    reservation.spend(job);
                }
                capacity.take(job, now);
                sizes.remove(job.processors(), believed(job));
                fillers.add(job);
                more = mayFill(now, capacity, reservation);
            }
        }
        fillers.forEach(this::forget);
        started.addAll(fillers);
    }

    private boolean mayFill(long now, Capacity capacity, Reservation reservation) {
        long spare = backfill.usesSpare() ? reservation.spareAtMost() : 0;
        return sizes.any(capacity.freeAtMost(), reservation.at() - now, spare);
    }

    private long believed(QueuedJob job) {
        return predictsEnds() ? job.predicted() : job.requested();
    }

    private void start(QueuedJob job, long now, Capacity capacity, List<QueuedJob> started) {
        capacity.take(job, now);
        delete(job);
        started.add(job);
    }

    private QueuedJob known(long id) {
        return Objects.requireNonNull(waiting.get(id));
    }

    private QueuedJob predict(QueuedJob job) {
        return prediction == Prediction.NONE ? job : job.withPredicted(history.predict(prediction, job));
    }

    private void insert(QueuedJob job) {
        waiting.put(job.id(), job);
        front.add(new Place(order.front(job), job));
        fill.add(new Place(backfill.key(order, job), job));
        arrivals.add(new Place(0, job));
        sizes.add(job.processors(), believed(job));
        if (prediction == Prediction.MEDIAN_RATIO && job.hasUser()) {
            byUser.computeIfAbsent(job.user(), absent -> new TreeSet<>()).add(job.id());
        }
    }

    /** The place by arrival stays, and with it what the job looked like when it came. */
    private void rekey(QueuedJob old, QueuedJob renewed) {
        waiting.put(old.id(), renewed);
        front.remove(new Place(order.front(old), old));
        front.add(new Place(order.front(renewed), renewed));
        fill.remove(new Place(backfill.key(order, old), old));
        fill.add(new Place(backfill.key(order, renewed), renewed));
        sizes.remove(old.processors(), believed(old));
        sizes.add(renewed.processors(), believed(renewed));
    }

    private void delete(QueuedJob job) {
        sizes.remove(job.processors(), believed(job));
        forget(job);
    }

    /** All but its size. */
    private void forget(QueuedJob job) {
        waiting.remove(job.id());
        front.remove(new Place(order.front(job), job));
        fill.remove(new Place(backfill.key(order, job), job));
        arrivals.remove(new Place(0, job));
        TreeSet<Long> ofUser = byUser.get(job.user());
        if (ofUser != null && ofUser.remove(job.id()) && ofUser.isEmpty()) {
            byUser.remove(job.user());
        }
    }

    /** A head that stays, and what was reckoned for it when it first did not fit. */
    private record Blocked(long id, Reservation reservation) {}

    private record Place(double key, QueuedJob job) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byKey = Double.compare(key, other.key);
            if (byKey != 0) {
                return byKey;
            }
            int bySubmission = Long.compare(job.submitted(), other.job.submitted());
            return bySubmission != 0 ? bySubmission : Long.compare(job.id(), other.job.id());
        }
    }
}
