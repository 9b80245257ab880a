package io.surestate.server.watch;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.WatchGrpc;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.Refused;
import io.surestate.server.api.Replies;
import io.surestate.server.api.RequestDeadline;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Streams changes to watchers; any server serves them from what it applied. Thread-safe. The apply thread only leaves word that there is
 * something new; turns are taken on the executor.
 */
public final class WatchService extends WatchGrpc.WatchImplBase {
    private final WatchOpening opening;
    private final Executor executor;
    private final Authorizer authorizer;
    private final LongSupplier monotonicNanos;
    private final AtomicInteger open = new AtomicInteger();
    private final Set<WatchStream> running = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean waking = new AtomicBoolean();

    /** The executor runs the watchers' turns, never the apply thread. */
    public WatchService(
            WatchFeed feed,
            WatchOpening opening,
            Executor executor,
            Authorizer authorizer,
            LongSupplier monotonicNanos) {
        this.opening = opening;
        this.executor = executor;
        this.authorizer = authorizer;
        this.monotonicNanos = monotonicNanos;
        feed.subscribe(this::poll);
    }

    /** Gives every watcher a turn soon: something was applied, or time passed. Returns at once; to be called about once a second. */
    public void poll() {
        if (!running.isEmpty() && waking.compareAndSet(false, true)) {
            try {
                executor.execute(() -> {
                    waking.set(false);
                    running.forEach(WatchStream::wake);
                });
            } catch (RejectedExecutionException full) {
                // The next poll finds them where they are.
                waking.set(false);
            }
        }
    }

    @Override
    public void watchChanges(WatchRequest request, StreamObserver<WatchResponse> caller) {
        if (open.incrementAndGet() > Limits.WATCHERS_MAX) {
            open.decrementAndGet();
            caller.onError(Refused.exhausted(
                            "watchers: " + Limits.WATCHERS_MAX + " (expected: fewer than " + Limits.WATCHERS_MAX + ")")
                    .toGrpc());
            return;
        }
        WatchStream stream = new WatchStream(
                (ServerCallStreamObserver<WatchResponse>) caller, executor, monotonicNanos, this::forget);
        try {
            authorizer.check(Authorizer.ANONYMOUS, request.getFilter().getTenant(), Authorizer.Action.READ);
            opening.watcher(request)
                    .copy()
                    .orTimeout(RequestDeadline.WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((watcher, failure) -> {
                        if (failure == null) {
                            running.add(stream);
                            stream.start(watcher);
                            if (stream.isOver()) {
                                running.remove(stream);
                            }
                        } else {
                            stream.refuse(grpc(failure));
                        }
                    });
        } catch (RuntimeException refused) {
            stream.refuse(grpc(refused));
        }
    }

    private static Throwable grpc(Throwable failure) {
        return Replies.toGrpc(
                failure,
                Refused.of(ErrorCode.ERROR_CODE_UNAVAILABLE, "watch: not confirmed in time (expected: a quorum)"));
    }

    private void forget(WatchStream stream) {
        running.remove(stream);
        open.decrementAndGet();
    }
}
