package io.surestate.server.watch;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ReadOptions;
import io.surestate.api.v1.WatchRequest;
import io.surestate.server.api.Problems;
import io.surestate.server.api.Reads;
import io.surestate.server.api.Refused;
import io.surestate.server.apply.Views;
import io.surestate.statemachine.StateView;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Checks what is asked for and finds where a watch begins. What is here already is served at once; a revision that is not here yet is
 * either on its way, and waited for, or lies in the future, and is refused. Thread-safe.
 */
public final class WatchOpening {
    private final WatchFeed feed;
    private final Reads reads;
    private final Views views;

    public WatchOpening(WatchFeed feed, Reads reads, Views views) {
        this.feed = feed;
        this.reads = reads;
        this.views = views;
    }

    /** Fails with {@link Refused}, now or later. */
    public CompletableFuture<Watcher> watcher(WatchRequest request) {
        checkStart(request);
        WatchScope scope = WatchScope.of(request.getFilter(), new JobTenants(views::newest));
        if (request.getInitialList()) {
            return reads.view(ReadOptions.getDefaultInstance())
                    .thenApply(view -> Watcher.listing(feed, scope, initialised(view)));
        }
        Optional<ResumeToken> token = request.getResumeToken().isEmpty()
                ? Optional.empty()
                : Optional.of(ResumeToken.decode(request.getResumeToken()));
        long from = token.map(ResumeToken::revision).orElse(request.getFromRevision());
        return reached(from).thenApply(view -> {
            String historyId = initialised(view).state().meta().getHistoryId();
            token.ifPresent(given -> checkHistory(given, historyId));
            return Watcher.after(feed, scope, historyId, place(view, from, token.isPresent()));
        });
    }

    private static void checkStart(WatchRequest request) {
        if (request.getFromRevision() < 0) {
            throw Problems.invalid("fromRevision: " + request.getFromRevision() + " (expected: 0 or a revision)");
        }
        boolean token = !request.getResumeToken().isEmpty();
        if (token && request.getFromRevision() != 0) {
            throw Problems.invalid("fromRevision: " + request.getFromRevision() + " (expected: 0 with resumeToken)");
        }
        if (request.getInitialList() && (token || request.getFromRevision() != 0)) {
            throw Problems.invalid("initialList: true (expected: without fromRevision and resumeToken)");
        }
    }

    /** A view of that revision or a later one, or the newest that the cluster has committed. */
    private CompletableFuture<StateView> reached(long revision) {
        StateView newest = views.newest();
        return revision > 0 && newest.revision() >= revision && newest.state().initialised()
                ? CompletableFuture.completedFuture(newest)
                : reads.view(ReadOptions.getDefaultInstance());
    }

    /** Before its first command the cluster has no identity that a resume token could carry. */
    private static StateView initialised(StateView view) {
        if (!view.state().initialised()) {
            throw Refused.of(
                    ErrorCode.ERROR_CODE_UNAVAILABLE, "cluster: being set up (expected: try again in a moment)");
        }
        return view;
    }

    private WatchFeed.Mark place(StateView view, long from, boolean resumed) {
        if (from == 0) {
            return new WatchFeed.Mark(view.revision(), view.state().meta().getTimeMillis());
        }
        if (from > view.revision()) {
            throw Problems.invalid((resumed ? "resumeToken: of revision " : "fromRevision: ") + from
                    + " (expected: at most " + view.revision() + ", the newest that is committed)");
        }
        return feed.markOf(from);
    }

    private static void checkHistory(ResumeToken token, String historyId) {
        if (!token.historyId().equals(historyId)) {
            throw Refused.of(
                    ErrorCode.ERROR_CODE_HISTORY_CHANGED,
                    "resumeToken: of history " + token.historyId() + " (expected: " + historyId
                            + "; the cluster was restored, list again)");
        }
    }
}
