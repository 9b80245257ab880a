package io.surestate.server.watch;

import io.surestate.api.Limits;
import io.surestate.server.apply.ApplyListeners;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The last {@link Limits#WATCH_REVISIONS_KEPT} revisions with their changes: the only buffer that watching has. Each watcher keeps its
 * own place in it and takes as fast as it can; who falls behind the oldest revision is told so. Thread-safe.
 */
public final class WatchFeed implements ApplyListeners {
    private final Object lock = new Object();
    /** Guarded by lock: ascending, without gaps. */
    private final Deque<AppliedEntry> kept = new ArrayDeque<>();
    /** Guarded by lock: everything up to here is gone. */
    private long forgotten;

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    @Override
    public void applied(List<AppliedEntry> entries) {
        synchronized (lock) {
            for (AppliedEntry entry : entries) {
                kept.addLast(entry);
                if (kept.size() > Limits.WATCH_REVISIONS_KEPT) {
                    forgotten = kept.removeFirst().revision();
                }
            }
        }
        listeners.forEach(Runnable::run);
    }

    @Override
    public void restored(StateView view) {
        synchronized (lock) {
            kept.clear();
            forgotten = view.revision();
        }
        listeners.forEach(Runnable::run);
    }

    /** Told after each group, on the apply thread; must return at once. */
    void subscribe(Runnable listener) {
        listeners.add(listener);
    }

    void unsubscribe(Runnable listener) {
        listeners.remove(listener);
    }

    int watchers() {
        return listeners.size();
    }

    /** The newest revision; 0 = none. */
    long newest() {
        synchronized (lock) {
            return kept.isEmpty() ? forgotten : kept.getLast().revision();
        }
    }

    /** The oldest revision after which everything is still here. */
    long oldest() {
        synchronized (lock) {
            return forgotten;
        }
    }

    /** Up to that many entries after a revision, ascending; empty = some of what is asked for is no longer kept. */
    public Optional<List<AppliedEntry>> after(long revision, int limit) {
        synchronized (lock) {
            if (revision < forgotten) {
                return Optional.empty();
            }
            List<AppliedEntry> found = new ArrayList<>();
            if (kept.isEmpty() || kept.getLast().revision() <= revision) {
                return Optional.of(found);
            }
            for (AppliedEntry entry : kept) {
                if (entry.revision() > revision && found.size() < limit) {
                    found.add(entry);
                }
            }
            return Optional.of(found);
        }
    }
}
