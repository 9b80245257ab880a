package io.surestate.server.watch;

import io.surestate.api.Limits;
import io.surestate.server.apply.ApplyListeners;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateView;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The last revisions with their changes, at most {@link Limits#WATCH_REVISIONS_KEPT} of them and {@link Limits#WATCH_CHANGES_KEPT}
 * changes: the only buffer that watching has. Each watcher keeps its own place in it and takes as fast as it can; who falls behind the
 * oldest revision is told so. Written by the apply thread, read by any.
 */
public final class WatchFeed implements ApplyListeners {
    private final NavigableMap<Long, AppliedEntry> kept = new ConcurrentSkipListMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** Everything up to here is gone; moved before anything is removed. */
    private volatile long forgotten;

    private long changesKept;
    private int revisionsKept;

    @Override
    public void applied(List<AppliedEntry> entries) {
        for (AppliedEntry entry : entries) {
            kept.put(entry.revision(), entry);
            changesKept += entry.changes().size();
            revisionsKept++;
        }
        while (revisionsKept > Limits.WATCH_REVISIONS_KEPT || changesKept > Limits.WATCH_CHANGES_KEPT) {
            AppliedEntry oldest = kept.firstEntry().getValue();
            forgotten = oldest.revision();
            kept.remove(oldest.revision());
            changesKept -= oldest.changes().size();
            revisionsKept--;
        }
        listeners.forEach(Runnable::run);
    }

    @Override
    public void restored(StateView view) {
        forgotten = view.revision();
        kept.clear();
        changesKept = 0;
        revisionsKept = 0;
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
        var last = kept.lastEntry();
        return last == null ? forgotten : last.getKey();
    }

    /** The oldest revision after which everything is still here. */
    long oldest() {
        return forgotten;
    }

    /** Up to that many entries after a revision, ascending; empty = some of what is asked for is no longer kept. */
    public Optional<List<AppliedEntry>> after(long revision, int limit) {
        List<AppliedEntry> found =
                kept.tailMap(revision, false).values().stream().limit(limit).toList();
        return revision < forgotten ? Optional.empty() : Optional.of(found);
    }
}
