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
 * The last revisions with their changes, so many of each as it is made for: the only buffer that watching has. Each watcher keeps its
 * own place in it and takes as fast as it can; who falls behind the oldest revision is told so. Written by the apply thread, read by
 * any.
 */
public final class WatchFeed implements ApplyListeners {
    private final NavigableMap<Long, AppliedEntry> kept = new ConcurrentSkipListMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Window whole;
    /** Most of the whole; who waits outside of it will soon have lost its place. */
    private final Window safe;
    /** Everything up to here is gone; moved before anything is removed. */
    private volatile long forgotten;

    private volatile long edge;
    private volatile Mark newest = new Mark(0, 0);

    /**
     * A revision and its cluster time.
     *
     * @param timeMillis 0 = no longer known
     */
    record Mark(long revision, long timeMillis) {}

    public WatchFeed() {
        this(Limits.WATCH_REVISIONS_KEPT, Limits.WATCH_CHANGES_KEPT);
    }

    WatchFeed(int revisionsMax, int changesMax) {
        whole = new Window(revisionsMax, changesMax);
        safe = new Window(revisionsMax - revisionsMax / 4, changesMax - changesMax / 4);
    }

    /** Counts what lies between a moving start and the newest revision. Apply thread only. */
    private static final class Window {
        private final int revisionsMax;
        private final int changesMax;
        private int revisions;
        private long changes;

        Window(int revisionsMax, int changesMax) {
            this.revisionsMax = revisionsMax;
            this.changesMax = changesMax;
        }

        void add(AppliedEntry entry) {
            revisions++;
            changes += entry.changes().size();
        }

        void drop(AppliedEntry entry) {
            revisions--;
            changes -= entry.changes().size();
        }

        boolean tooWide() {
            return revisions > revisionsMax || changes > changesMax;
        }

        void clear() {
            revisions = 0;
            changes = 0;
        }
    }

    @Override
    public void applied(List<AppliedEntry> entries) {
        for (AppliedEntry entry : entries) {
            kept.put(entry.revision(), entry);
            whole.add(entry);
            safe.add(entry);
            newest = new Mark(entry.revision(), entry.timeMillis());
        }
        while (safe.tooWide()) {
            AppliedEntry oldest = kept.higherEntry(edge).getValue();
            safe.drop(oldest);
            edge = oldest.revision();
        }
        while (whole.tooWide()) {
            AppliedEntry oldest = kept.firstEntry().getValue();
            forgotten = oldest.revision();
            kept.remove(oldest.revision());
            whole.drop(oldest);
        }
        listeners.forEach(Runnable::run);
    }

    @Override
    public void restored(StateView view) {
        forgotten = view.revision();
        edge = view.revision();
        newest = new Mark(view.revision(), view.state().meta().getTimeMillis());
        kept.clear();
        whole.clear();
        safe.clear();
        listeners.forEach(Runnable::run);
    }

    /** Told after each group, on the apply thread; must return at once. */
    void subscribe(Runnable listener) {
        listeners.add(listener);
    }

    Mark newest() {
        return newest;
    }

    /** A revision with its time, if that is still here. */
    Mark markOf(long revision) {
        Mark last = newest;
        if (last.revision() == revision) {
            return last;
        }
        AppliedEntry entry = kept.get(revision);
        return new Mark(revision, entry == null ? 0 : entry.timeMillis());
    }

    /** The oldest revision after which everything is still here. */
    long oldest() {
        return forgotten;
    }

    /** At or after {@link #oldest}: whoever stands before it is about to lose its place. */
    long edge() {
        return edge;
    }

    /** Up to that many entries after a revision, ascending; empty = some of what is asked for is no longer kept. */
    public Optional<List<AppliedEntry>> after(long revision, int limit) {
        List<AppliedEntry> found =
                kept.tailMap(revision, false).values().stream().limit(limit).toList();
        return revision < forgotten ? Optional.empty() : Optional.of(found);
    }
}
