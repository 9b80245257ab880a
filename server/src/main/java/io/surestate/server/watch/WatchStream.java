package io.surestate.server.watch;

import io.grpc.stub.ServerCallStreamObserver;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.WatchResponse;
import io.surestate.server.api.Refused;
import io.surestate.server.api.Replies;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A watcher on its gRPC stream. Woken by any thread; its turns follow one another on the executor. */
final class WatchStream implements WatchSink {
    private final ServerCallStreamObserver<WatchResponse> out;
    private final Executor executor;
    private final LongSupplier monotonicNanos;
    private final Consumer<WatchStream> onOver;
    private final AtomicBoolean over = new AtomicBoolean();
    /** Wakes that are not dealt with; whoever raises it from zero lets the turns run. */
    private final AtomicInteger wakes = new AtomicInteger();

    private volatile @Nullable Watcher watcher;

    /** {@code onOver} is told once, however the stream ends. */
    WatchStream(
            ServerCallStreamObserver<WatchResponse> out,
            Executor executor,
            LongSupplier monotonicNanos,
            Consumer<WatchStream> onOver) {
        this.out = out;
        this.executor = executor;
        this.monotonicNanos = monotonicNanos;
        this.onOver = onOver;
        out.setOnCancelHandler(this::over);
        out.setOnReadyHandler(this::wake);
    }

    void start(Watcher opened) {
        watcher = opened;
        wake();
    }

    boolean isOver() {
        return over.get();
    }

    void refuse(Throwable why) {
        if (over()) {
            out.onError(why);
        }
    }

    /** Asks for a turn. */
    void wake() {
        if (wakes.getAndIncrement() == 0) {
            hand();
        }
    }

    private void hand() {
        try {
            executor.execute(this::run);
        } catch (RejectedExecutionException full) {
            // The next wake tries again; there is one at least each second.
            wakes.set(0);
        }
    }

    private void run() {
        int seen = wakes.get();
        boolean again = turn();
        if (wakes.addAndGet(-seen) > 0 || (again && wakes.getAndIncrement() == 0)) {
            hand();
        }
    }

    /** Whether another turn is due. */
    private boolean turn() {
        Watcher driven = watcher;
        if (driven == null || out.isCancelled()) {
            return false;
        }
        try {
            return driven.turn(this, monotonicNanos.getAsLong()) == Watcher.Turn.AGAIN;
        } catch (RuntimeException defect) {
            refuse(Replies.toGrpc(defect, Refused.of(ErrorCode.ERROR_CODE_UNAVAILABLE, "watch: ended by the server")));
            return false;
        }
    }

    @Override
    public boolean ready() {
        return out.isReady();
    }

    @Override
    public void send(WatchResponse message) {
        out.onNext(message);
    }

    @Override
    public void end(Refused why) {
        refuse(why.toGrpc());
    }

    private boolean over() {
        boolean first = over.compareAndSet(false, true);
        if (first) {
            onOver.accept(this);
        }
        return first;
    }
}
