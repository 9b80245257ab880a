package io.surestate.server.apply;

import io.surestate.statemachine.StateView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** The newest state of this server, and a way to wait for one that is new enough. Thread-safe; published to by the apply thread alone. */
public final class Views {
    private final Object lock = new Object();
    /** Guarded by lock: waiters by the revision that they need. */
    private final TreeMap<Long, CompletableFuture<StateView>> waiting = new TreeMap<>();

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile StateView newest;

    public Views(StateView first) {
        this.newest = first;
    }

    public StateView newest() {
        return newest;
    }

    /** Completes with the first view of that revision or a later one; whoever calls bounds the wait. */
    public CompletableFuture<StateView> atLeast(long revision) {
        synchronized (lock) {
            return newest.revision() >= revision
                    ? CompletableFuture.completedFuture(newest)
                    : waiting.computeIfAbsent(revision, needed -> new CompletableFuture<>());
        }
    }

    /** Called after each publication, on the apply thread; must return at once. */
    public void onPublish(Runnable listener) {
        listeners.add(listener);
    }

    void publish(StateView view) {
        Map<Long, CompletableFuture<StateView>> served;
        synchronized (lock) {
            newest = view;
            Map<Long, CompletableFuture<StateView>> due = waiting.headMap(view.revision(), true);
            served = new TreeMap<>(due);
            due.clear();
        }
        served.values().forEach(waiter -> waiter.complete(view));
        listeners.forEach(Runnable::run);
    }
}
