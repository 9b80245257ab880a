package io.surestate.server.log;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets many readers share one read-index round. A caller is served only by a round that began after its call; at most one round runs
 * and at most one waits. Thread-safe.
 */
public final class ReadIndexRounds {
    private final Supplier<CompletableFuture<Long>> round;
    private final Object lock = new Object();
    private boolean running;
    private @Nullable CompletableFuture<Long> waiting;

    public ReadIndexRounds(Supplier<CompletableFuture<Long>> round) {
        this.round = round;
    }

    /** As {@link ReplicatedLog#readIndex()}. */
    public CompletableFuture<Long> next() {
        CompletableFuture<Long> mine = new CompletableFuture<>();
        synchronized (lock) {
            if (running) {
                if (waiting == null) {
                    waiting = mine;
                }
                return waiting;
            }
            running = true;
        }
        begin(mine);
        return mine;
    }

    private void begin(CompletableFuture<Long> served) {
        round.get().whenComplete((index, failure) -> {
            CompletableFuture<Long> following;
            synchronized (lock) {
                following = waiting;
                waiting = null;
                running = following != null;
            }
            if (following != null) {
                begin(following);
            }
            if (failure == null) {
                served.complete(index);
            } else {
                served.completeExceptionally(failure);
            }
        });
    }
}
