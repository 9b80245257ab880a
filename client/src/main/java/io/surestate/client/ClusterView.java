package io.surestate.client;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A local picture of the cluster, kept up to date by a watch: what is live, at one revision, as an immutable picture. It goes on by
 * itself when servers come and go, lists everything again when it missed too much, and says how stale it is. Holds one picture, and
 * what one revision changed; nothing else piles up.
 *
 * <p>Occupies one thread of the executor that it is given until it is closed. All methods are safe between threads.
 */
public final class ClusterView implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterView.class);
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ClientClock clock;
    private final ResumingWatch watch;
    private final List<ViewListener> listeners = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    // Guarded by lock.
    private ClusterPicture newest = ClusterPicture.empty();
    private long heardNanos;
    private Optional<SurestateException> failure = Optional.empty();
    private boolean over;

    private ClusterView(ClusterClient client, WatchFilter filter) {
        this.clock = client.clock();
        this.heardNanos = clock.nanos();
        WatchRequest request =
                WatchRequest.newBuilder().setFilter(filter).setInitialList(true).build();
        this.watch = new ResumingWatch(client, request, Duration.ofMillis(Limits.WATCH_PATIENCE_MILLIS));
    }

    /**
     * Begins to list and watch; returns at once. See {@link #awaitRevision}.
     *
     * @param filter what to look at; a node and jobs do not go together, because jobs are on no node
     * @param executor gives the view its thread
     */
    public static ClusterView open(ClusterClient client, WatchFilter filter, Executor executor) {
        return open(client, filter, executor, List.of());
    }

    /** As the other, with listeners that miss nothing. */
    public static ClusterView open(
            ClusterClient client, WatchFilter filter, Executor executor, List<ViewListener> listeners) {
        boolean jobs = filter.getJobs() || !(filter.getNodes() || filter.getAllocations() || filter.getHolds());
        if (jobs && !filter.getNode().isEmpty()) {
            throw new IllegalArgumentException("filter.node: \"" + filter.getNode()
                    + "\" (expected: none where jobs are looked at, or nodes and allocations only)");
        }
        ClusterView view = new ClusterView(client, filter);
        view.listeners.addAll(listeners);
        executor.execute(view::run);
        return view;
    }

    /** The newest picture; empty of everything, at revision 0, before the first list is complete. */
    public ClusterPicture picture() {
        synchronized (lock) {
            return newest;
        }
    }

    public Staleness staleness() {
        synchronized (lock) {
            Duration since = Duration.ofMillis((clock.nanos() - heardNanos) / NANOS_PER_MILLI);
            return new Staleness(newest.revision(), since, failure);
        }
    }

    /**
     * Waits for a picture that is at least as new as a revision, such as that of one's own commit; 1 = for the first list. Revisions in
     * which nothing changes that the filter lets through arrive with the next sign of progress, a second or two later. Listeners may be
     * told of the revision a little later than those who wait for it here.
     *
     * @return empty = it did not come in time
     * @throws SurestateException the view was refused and will never come
     * @throws InterruptedException the thread was interrupted
     */
    public Optional<ClusterPicture> awaitRevision(long revision, Duration atMost) throws InterruptedException {
        long deadline = clock.nanos() + atMost.toNanos();
        synchronized (lock) {
            while (newest.revision() < revision) {
                if (over && failure.isPresent()) {
                    throw failure.get();
                }
                long millisLeft = (deadline - clock.nanos()) / NANOS_PER_MILLI;
                if (over || millisLeft <= 0) {
                    return Optional.empty();
                }
                lock.wait(millisLeft);
            }
            return Optional.of(newest);
        }
    }

    /** Told of everything from now on. */
    public void addListener(ViewListener listener) {
        listeners.add(listener);
    }

    public void removeListener(ViewListener listener) {
        listeners.remove(listener);
    }

    private void run() {
        ClusterPicture building = ClusterPicture.empty();
        try {
            while (true) {
                try {
                    Optional<WatchBatch> batch = watch.next();
                    if (batch.isEmpty()) {
                        return;
                    }
                    building = take(building, batch.get());
                } catch (SurestateException refused) {
                    failed(refused);
                }
            }
        } catch (SurestateException refused) {
            LOG.error("action=view-cluster result=refused error=\"{}\"", refused.getMessage());
        } finally {
            over();
        }
    }

    /** Throws what no waiting mends. */
    private void failed(SurestateException refused) {
        boolean missed = refused.code() == ErrorCode.ERROR_CODE_COMPACTED
                || refused.code() == ErrorCode.ERROR_CODE_HISTORY_CHANGED;
        synchronized (lock) {
            failure = Optional.of(refused);
        }
        if (missed) {
            LOG.info("action=list-cluster-again reason=\"{}\"", refused.getMessage());
            watch.listAgain();
        } else if (!refused.detail().getRetryable()) {
            throw refused;
        }
    }

    private ClusterPicture take(ClusterPicture before, WatchBatch batch) {
        ClusterPicture base = batch.kind() == WatchBatch.Kind.LIST_BEGINS ? ClusterPicture.empty() : before;
        ClusterPicture after = base.with(batch.events()).at(batch.revision(), batch.timeMillis());
        boolean complete = batch.kind() == WatchBatch.Kind.LIST_ENDS || batch.kind() == WatchBatch.Kind.CHANGES;
        heard(complete ? Optional.of(after) : Optional.empty());
        if (batch.kind() == WatchBatch.Kind.LIST_ENDS) {
            tell(listener -> listener.listed(after));
        } else if (complete && !batch.events().isEmpty()) {
            tell(listener -> listener.changed(after, batch.events()));
        }
        return after;
    }

    /** A listener's defect is its own: the view goes on. */
    private void tell(Consumer<ViewListener> word) {
        for (ViewListener listener : listeners) {
            try {
                word.accept(listener);
            } catch (RuntimeException defect) {
                LOG.error("action=tell-listener result=defect", defect);
            }
        }
    }

    private void heard(Optional<ClusterPicture> complete) {
        synchronized (lock) {
            heardNanos = clock.nanos();
            failure = Optional.empty();
            complete.ifPresent(picture -> newest = picture);
            lock.notifyAll();
        }
    }

    private void over() {
        watch.close();
        synchronized (lock) {
            over = true;
            lock.notifyAll();
        }
    }

    /** Ends the watch and gives the thread back. */
    @Override
    public void close() {
        watch.close();
    }
}
