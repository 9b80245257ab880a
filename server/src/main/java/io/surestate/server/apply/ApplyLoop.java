package io.surestate.server.apply;

import io.surestate.server.log.Leadership;
import io.surestate.server.log.LogConsumer;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.store.InMemoryStateStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Applies committed entries in groups: decide and apply each, one write batch, publish the view, complete the futures, in that order.
 * One thread calls {@link #drain} or {@link #awaitWork}; the log's thread calls the rest. The engine is only touched under the lock.
 */
public final class ApplyLoop implements LogConsumer {
    private static final int WAITING_ENTRIES_MAX = 1_024;
    private static final int GROUP_ENTRIES_MAX = 64;

    private final Function<Optional<Path>, StateEngine> opener;
    private final List<Consumer<Leadership>> onLeadership = new CopyOnWriteArrayList<>();
    private final Consumer<Throwable> onFault;
    private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(WAITING_ENTRIES_MAX);
    private final ReentrantLock engineLock = new ReentrantLock();
    private final ApplyListeners listeners;

    private final Views views;
    private volatile @Nullable StateEngine engine;

    private record Item(CommittedEntry entry, CompletableFuture<AppliedEntry> applied) {}

    /**
     * @param opener opens the state from a snapshot folder, or empty
     * @param onFault told when the state cannot go on; the server must stop
     */
    public ApplyLoop(
            Function<Optional<Path>, StateEngine> opener, ApplyListeners listeners, Consumer<Throwable> onFault) {
        this.opener = opener;
        this.listeners = listeners;
        this.onFault = onFault;
        try (StateEngine nothing = StateEngine.open(new InMemoryStateStore())) {
            this.views = new Views(nothing.view());
        }
    }

    /** What readers look at; empty until the first {@link #restore}. */
    public Views views() {
        return views;
    }

    /** Told of every change of leadership, at once; to be added before the log starts. */
    public void onLeadership(Consumer<Leadership> listener) {
        onLeadership.add(listener);
    }

    /** Entries handed over and not applied yet. */
    public int backlog() {
        return queue.size();
    }

    @Override
    public CompletableFuture<AppliedEntry> committed(CommittedEntry entry) {
        Item item = new Item(entry, new CompletableFuture<>());
        try {
            queue.put(item);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            item.applied.completeExceptionally(new IllegalStateException("the server is stopping"));
        }
        return item.applied;
    }

    /** Waits at most that long for work, then applies what is there. For the apply thread. */
    public void awaitWork(long millis) throws InterruptedException {
        Item first = queue.poll(millis, TimeUnit.MILLISECONDS);
        if (first != null) {
            applyWith(first);
        }
    }

    /** Applies everything that is there; returns without waiting. For a single-threaded driver. */
    public void drain() {
        for (Item first = queue.poll(); first != null; first = queue.poll()) {
            applyWith(first);
        }
    }

    private void applyWith(Item first) {
        List<Item> group = new ArrayList<>(GROUP_ENTRIES_MAX);
        group.add(first);
        queue.drainTo(group, GROUP_ENTRIES_MAX - 1);
        engineLock.lock();
        try {
            apply(group);
        } catch (Throwable fault) {
            group.forEach(item -> item.applied.completeExceptionally(fault));
            onFault.accept(fault);
        } finally {
            engineLock.unlock();
        }
    }

    private void apply(List<Item> group) {
        StateEngine open = engine;
        if (open == null) {
            group.forEach(item -> item.applied.completeExceptionally(
                    new IllegalStateException("superseded by a snapshot that is being installed")));
            return;
        }
        long before = open.view().revision();
        List<AppliedEntry> applied = open.apply(group.stream().map(Item::entry).toList());
        // What waited while a snapshot was installed is in that snapshot already: nobody must see it again.
        List<AppliedEntry> news =
                applied.stream().filter(entry -> entry.revision() > before).toList();
        if (!news.isEmpty()) {
            listeners.applied(news);
        }
        views.publish(open.view());
        for (int i = 0; i < group.size(); i++) {
            group.get(i).applied.complete(applied.get(i));
        }
    }

    @Override
    public void leadershipChanged(Leadership leadership) {
        onLeadership.forEach(listener -> listener.accept(leadership));
    }

    @Override
    public long restore(Optional<Path> snapshotFolder) {
        engineLock.lock();
        try {
            close();
            StateEngine opened = opener.apply(snapshotFolder);
            engine = opened;
            listeners.restored(opened.view());
            views.publish(opened.view());
            return opened.view().revision();
        } finally {
            engineLock.unlock();
        }
    }

    @Override
    public SnapshotPosition snapshot(Path newFolder) {
        engineLock.lock();
        try {
            StateEngine open = engine;
            if (open == null) {
                return SnapshotPosition.NONE;
            }
            var manifest = open.checkpoint(newFolder);
            return new SnapshotPosition(manifest.getTerm(), manifest.getIndex());
        } finally {
            engineLock.unlock();
        }
    }

    @Override
    public void suspend() {
        engineLock.lock();
        try {
            close();
        } finally {
            engineLock.unlock();
        }
    }

    private void close() {
        StateEngine open = engine;
        engine = null;
        if (open != null) {
            open.close();
        }
    }

    /** Runs with the open engine while nothing is applied; empty while a snapshot is being installed. */
    public <T> Optional<T> withEngine(Function<StateEngine, T> reader) {
        engineLock.lock();
        try {
            StateEngine open = engine;
            return open == null ? Optional.empty() : Optional.of(reader.apply(open));
        } finally {
            engineLock.unlock();
        }
    }

    @Override
    public void failed(Throwable cause) {
        onFault.accept(cause);
    }
}
