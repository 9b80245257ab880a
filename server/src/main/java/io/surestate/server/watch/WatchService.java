package io.surestate.server.watch;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchGrpc;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.Refused;
import io.surestate.statemachine.AppliedEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Streams changes to watchers; any server serves them from what it applied. */
public final class WatchService extends WatchGrpc.WatchImplBase {
    private static final int ENTRIES_PER_TURN = 64;
    private static final int EVENTS_PER_MESSAGE_MAX = 1_000;

    private final WatchFeed feed;
    private final Executor executor;
    private final Authorizer authorizer;

    /** The executor runs the watchers' turns, never the apply thread. */
    public WatchService(WatchFeed feed, Executor executor, Authorizer authorizer) {
        this.feed = feed;
        this.executor = executor;
        this.authorizer = authorizer;
    }

    @Override
    public void watchChanges(WatchRequest request, StreamObserver<WatchResponse> caller) {
        authorizer.check(Authorizer.ANONYMOUS, "", Authorizer.Action.READ);
        if (request.getFromRevision() < 0) {
            caller.onError(Refused.of(
                            ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                            "fromRevision: " + request.getFromRevision() + " (expected: 0 or a revision)")
                    .toGrpc());
            return;
        }
        if (feed.watchers() >= Limits.WATCHERS_MAX) {
            caller.onError(Refused.exhausted(
                            "watchers: " + feed.watchers() + " (expected: fewer than " + Limits.WATCHERS_MAX + ")")
                    .toGrpc());
            return;
        }
        long from = request.getFromRevision() == 0 ? feed.newest() : request.getFromRevision();
        new Watcher(request, (ServerCallStreamObserver<WatchResponse>) caller, from).start();
    }

    /** One stream. Its place is moved by one turn at a time. */
    private final class Watcher implements Runnable {
        private final WatchRequest request;
        private final ServerCallStreamObserver<WatchResponse> out;
        private long place;
        private boolean ended;

        Watcher(WatchRequest request, ServerCallStreamObserver<WatchResponse> out, long from) {
            this.request = request;
            this.out = out;
            this.place = from;
        }

        void start() {
            out.setOnCancelHandler(() -> feed.unsubscribe(this));
            out.setOnReadyHandler(() -> executor.execute(this::turn));
            feed.subscribe(this);
            // The first mark says where the watch stands, so that a list at that revision can be joined without a gap.
            executor.execute(() -> {
                mark();
                turn();
            });
        }

        /** Something was applied. */
        @Override
        public void run() {
            executor.execute(this::turn);
        }

        private synchronized void mark() {
            if (!ended && !out.isCancelled()) {
                out.onNext(WatchResponse.newBuilder()
                        .setRevision(place)
                        .setLastInRevision(true)
                        .build());
            }
        }

        private synchronized void turn() {
            while (!ended && !out.isCancelled() && out.isReady()) {
                Optional<List<AppliedEntry>> entries = feed.after(place, ENTRIES_PER_TURN);
                if (entries.isEmpty()) {
                    compacted();
                    return;
                }
                if (entries.get().isEmpty()) {
                    return;
                }
                boolean sent = false;
                for (AppliedEntry entry : entries.get()) {
                    sent = send(entry);
                    place = entry.revision();
                }
                if (!sent) {
                    mark();
                }
            }
        }

        /** False = the filter let nothing through. */
        private boolean send(AppliedEntry entry) {
            List<WatchEvent> events = WatchEvents.of(entry.changes(), request.getFilter());
            for (int from = 0; from < events.size(); from += EVENTS_PER_MESSAGE_MAX) {
                int to = Math.min(events.size(), from + EVENTS_PER_MESSAGE_MAX);
                out.onNext(WatchResponse.newBuilder()
                        .setRevision(entry.revision())
                        .setTimeMillis(entry.timeMillis())
                        .addAllEvents(events.subList(from, to))
                        .setLastInRevision(to == events.size())
                        .build());
            }
            return !events.isEmpty();
        }

        private void compacted() {
            ended = true;
            feed.unsubscribe(this);
            out.onError(new Refused(Refused.detail(
                                    ErrorCode.ERROR_CODE_COMPACTED,
                                    "fromRevision: " + place + " (expected: " + feed.oldest()
                                            + " or later; list again, then watch from the list's revision)")
                            .setOldestRevision(feed.oldest())
                            .build())
                    .toGrpc());
        }
    }
}
