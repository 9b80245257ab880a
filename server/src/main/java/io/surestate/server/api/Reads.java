package io.surestate.server.api;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ReadOptions;
import io.surestate.server.apply.Views;
import io.surestate.server.log.ReadIndexRounds;
import io.surestate.statemachine.StateView;
import java.util.concurrent.CompletableFuture;

/** Finds a view as fresh as a read asks for: linearizable unless it says otherwise. Thread-safe. */
public final class Reads {
    private final Views views;
    private final ReadIndexRounds readIndex;

    public Reads(Views views, ReadIndexRounds readIndex) {
        this.views = views;
        this.readIndex = readIndex;
    }

    /** What this server has applied by now. */
    public StateView newest() {
        return views.newest();
    }

    public CompletableFuture<StateView> view(ReadOptions options) {
        return switch (options.getFreshnessCase()) {
            case STALE -> CompletableFuture.completedFuture(views.newest());
            case MIN_REVISION -> views.atLeast(options.getMinRevision());
            case FRESHNESS_NOT_SET -> linearizable();
        };
    }

    private CompletableFuture<StateView> linearizable() {
        return readIndex
                .next()
                .handle((index, failure) -> {
                    if (failure != null) {
                        throw Refused.of(
                                ErrorCode.ERROR_CODE_UNAVAILABLE,
                                "read: not confirmed (expected: a quorum that answers)");
                    }
                    return index;
                })
                .thenCompose(views::atLeast);
    }
}
