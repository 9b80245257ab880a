package io.surestate.client;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A watch that outlives its servers: when one ends it, or falls silent, it goes on at the next right after the last revision that was
 * told. Each revision is told whole, once, and in order. Read by one thread; {@link #close} may come from any.
 */
public final class ResumingWatch implements AutoCloseable {
    private static final long POLL_MILLIS = 250;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ClusterClient client;
    private final WatchRequest first;
    private final Duration patience;
    private final Queue<WatchBatch> ready = new ArrayDeque<>();
    /** Fragments of the revision that is not complete yet. */
    private final List<WatchEvent> fragments = new ArrayList<>();

    private volatile boolean closed;
    private volatile @Nullable WatchCall call;
    private WatchRequest request;
    private boolean listing;
    private int failures;
    /** When the call that runs was opened or said something. */
    private long heardNanos;
    /** Of the failures in a row, when the first was noticed, or was last told. */
    private long failingNanos;

    /**
     * A watch that begins with {@code request}, at whichever server serves it.
     *
     * @param patience how long it looks for a server that serves it, from the first failure in a row, before it says that there is none
     */
    public ResumingWatch(ClusterClient client, WatchRequest request, Duration patience) {
        this.client = client;
        this.first = request;
        this.request = request;
        this.patience = patience;
    }

    /**
     * Waits for the next batch; empty = closed, or the thread was interrupted.
     *
     * @throws SurestateException the watch cannot go on: it was refused; the changes after its place are gone (COMPACTED,
     *     HISTORY_CHANGED), then {@link #listAgain} helps if it began with a list; or no server served it for too long, then waiting again
     *     may help
     */
    public Optional<WatchBatch> next() {
        try {
            while (!closed && ready.isEmpty()) {
                step();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        return closed ? Optional.empty() : Optional.ofNullable(ready.poll());
    }

    /** Begins anew, as it began at first. */
    public void listAgain() {
        drop();
        request = first;
    }

    private void step() throws InterruptedException {
        WatchCall running = call;
        if (running == null) {
            running = WatchCall.open(client, request);
            call = running;
            heardNanos = client.clock().nanos();
            if (closed) {
                running.cancel();
            }
        }
        Optional<WatchCall.Item> item = running.poll(POLL_MILLIS);
        if (item.isEmpty()) {
            if (millisSince(heardNanos) >= Limits.WATCH_SILENCE_MILLIS_MAX && !closed) {
                broken(running, silence(), new TimeoutException("silent"));
            }
        } else if (item.get() instanceof WatchCall.Told told) {
            heardNanos = client.clock().nanos();
            failures = 0;
            take(told.message());
        } else if (item.get() instanceof WatchCall.Over over && !closed) {
            ended(running, over);
        }
    }

    private long millisSince(long nanos) {
        return (client.clock().nanos() - nanos) / NANOS_PER_MILLI;
    }

    private void take(WatchResponse message) {
        client.clusterTime().learn(message);
        if (message.getInitial()) {
            ready.add(
                    batch(message, message.getEventsList(), listing ? listKind(message) : WatchBatch.Kind.LIST_BEGINS));
            if (!listing && message.getLastInRevision()) {
                ready.add(batch(message, List.of(), WatchBatch.Kind.LIST_ENDS));
            }
            listing = !message.getLastInRevision();
        } else {
            fragments.addAll(message.getEventsList());
            if (message.getLastInRevision()) {
                ready.add(batch(message, fragments, WatchBatch.Kind.CHANGES));
                fragments.clear();
            }
        }
        if (!message.getResumeToken().isEmpty()) {
            resumeFrom(message.getResumeToken());
        }
    }

    private static WatchBatch.Kind listKind(WatchResponse message) {
        return message.getLastInRevision() ? WatchBatch.Kind.LIST_ENDS : WatchBatch.Kind.LIST_GOES_ON;
    }

    private static WatchBatch batch(WatchResponse message, List<WatchEvent> events, WatchBatch.Kind kind) {
        return new WatchBatch(message.getRevision(), message.getTimeMillis(), events, kind);
    }

    private void resumeFrom(String token) {
        request = WatchRequest.newBuilder()
                .setFilter(first.getFilter())
                .setResumeToken(token)
                .build();
    }

    private void ended(WatchCall over, WatchCall.Over why) throws InterruptedException {
        ErrorDetail detail = ErrorDetails.of(why.why());
        if (!detail.getResumeToken().isEmpty()) {
            resumeFrom(detail.getResumeToken());
        }
        if (!detail.getRetryable()) {
            drop();
            throw new SurestateException(detail, "", why.why());
        }
        broken(over, detail, why.why());
    }

    /** Tries the next server after a moment, or says that there is none. */
    private void broken(WatchCall over, ErrorDetail why, Throwable cause) throws InterruptedException {
        drop();
        long now = client.clock().nanos();
        failures++;
        if (failures == 1) {
            failingNanos = now;
        }
        boolean hinted = client.endpoints().moveOn(over.endpoint(), why);
        if ((now - failingNanos) / NANOS_PER_MILLI >= patience.toMillis()) {
            failingNanos = now;
            throw new SurestateException(why, "", cause);
        }
        if (!hinted || failures > Limits.LEADER_HINTS_FOLLOWED_MAX) {
            client.clock().sleepMillis(client.backoffMillis(failures, why));
        }
    }

    private static ErrorDetail silence() {
        return ErrorDetails.local(
                ErrorCode.ERROR_CODE_UNAVAILABLE,
                "watch: silent for " + Limits.WATCH_SILENCE_MILLIS_MAX / 1_000 + " s (expected: a mark every "
                        + Limits.WATCH_MARK_MILLIS / 1_000 + " s)");
    }

    private void drop() {
        WatchCall running = call;
        call = null;
        if (running != null) {
            running.cancel();
        }
        fragments.clear();
        listing = false;
    }

    @Override
    public void close() {
        closed = true;
        WatchCall running = call;
        if (running != null) {
            running.cancel();
        }
    }
}
