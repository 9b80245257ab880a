package io.surestate.server.watch;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchResponse;
import io.surestate.server.api.Refused;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateView;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One watch: where it stands, and what it tells next. Knows no thread and no wire; whoever owns it gives it turns, one at a time, when
 * something was applied, when the transport is ready again, and now and then. Nothing is sent while the transport is not ready, and what
 * waits is not copied but left in the feed, or in the view that is being listed.
 *
 * <p>A watch ends in one of two ways. {@code COMPACTED}: what it was asked for, or the list that it gives, is older than what is kept.
 * {@code RESOURCE_EXHAUSTED} with a resume token: it got along, but its reader did not. The latter comes while most of the kept revisions
 * are still ahead, so that the token can be used.
 */
public final class Watcher {
    private static final int ENTRIES_PER_TURN = 64;
    private static final int MESSAGES_PER_TURN = 64;
    private static final long MARK_NANOS = Limits.WATCH_MARK_MILLIS * 1_000_000;
    private static final long PROGRESS_NANOS = Limits.WATCH_PROGRESS_MILLIS * 1_000_000;
    private static final long STALL_NANOS = Limits.WATCH_STALL_MILLIS_MAX * 1_000_000;

    private final WatchFeed feed;
    private final WatchScope scope;
    private final String historyId;
    private final Queue<AppliedEntry> fetched = new ArrayDeque<>();
    /** What is being sent: the initial list, or a revision. */
    private @Nullable Fragments current;
    /** Everything up to here was told. */
    private WatchFeed.Mark place;

    private boolean greeted;
    private boolean told;
    private boolean ended;
    private long sentNanos;
    private long sentRevision;

    /** What the owner does after a turn. */
    public enum Turn {
        /** There is more to do now. */
        AGAIN,
        /** Nothing to do until something happens. */
        WAIT,
        /** The watch is over. */
        ENDED
    }

    private Watcher(WatchFeed feed, WatchScope scope, String historyId, WatchFeed.Mark place) {
        this.feed = feed;
        this.scope = scope;
        this.historyId = historyId;
        this.place = place;
    }

    /** Changes after a revision. */
    static Watcher after(WatchFeed feed, WatchScope scope, String historyId, WatchFeed.Mark place) {
        return new Watcher(feed, scope, historyId, place);
    }

    /** Everything in the view, then the changes after it. */
    static Watcher listing(WatchFeed feed, WatchScope scope, StateView view) {
        String historyId = view.state().meta().getHistoryId();
        WatchFeed.Mark at =
                new WatchFeed.Mark(view.revision(), view.state().meta().getTimeMillis());
        Watcher watcher = new Watcher(feed, scope, historyId, at);
        watcher.current = new Fragments(at, watcher.token(at.revision()), true, WatchEvents.of(view, scope));
        return watcher;
    }

    /** Tells what the transport takes, within the bounds of one turn. */
    public Turn turn(WatchSink sink, long nowNanos) {
        if (ended) {
            return Turn.ENDED;
        }
        if (lost()) {
            return end(sink, told && !listing() ? cut() : compacted());
        }
        if (!sink.ready()) {
            return stalled(nowNanos) ? end(sink, cut()) : Turn.WAIT;
        }
        greet(sink, nowNanos);
        int entries = ENTRIES_PER_TURN;
        int messages = MESSAGES_PER_TURN;
        while (sink.ready() && entries > 0 && messages > 0) {
            Fragments sending = current;
            if (sending != null) {
                sendOne(sending, sink, nowNanos);
                messages--;
            } else if (!beginNext()) {
                return lost() ? end(sink, cut()) : markIfQuiet(sink, nowNanos);
            } else {
                entries--;
            }
        }
        return sink.ready() ? Turn.AGAIN : Turn.WAIT;
    }

    /** Whether the changes after the place are no longer all there. */
    private boolean lost() {
        return place.revision() < feed.oldest();
    }

    /** Whether it will soon have lost its place and does not move. */
    private boolean stalled(long nowNanos) {
        return told && !listing() && place.revision() < feed.edge() && nowNanos - sentNanos >= STALL_NANOS;
    }

    private boolean listing() {
        Fragments sending = current;
        return sending != null && sending.initial();
    }

    /** The first message says where the watch stands, so that a list at that revision can be joined without a gap. */
    private void greet(WatchSink sink, long nowNanos) {
        if (!greeted && !listing()) {
            mark(sink, nowNanos);
        }
        greeted = true;
    }

    private void sendOne(Fragments sending, WatchSink sink, long nowNanos) {
        WatchResponse message = sending.next();
        if (message.getLastInRevision()) {
            place = new WatchFeed.Mark(message.getRevision(), message.getTimeMillis());
            current = null;
            told = true;
        }
        send(sink, message, nowNanos);
    }

    /** Goes to the next entry; false = there is none. */
    private boolean beginNext() {
        if (fetched.isEmpty()) {
            Optional<List<AppliedEntry>> more = feed.after(place.revision(), ENTRIES_PER_TURN);
            fetched.addAll(more.orElse(List.of()));
        }
        AppliedEntry entry = fetched.poll();
        if (entry == null) {
            return false;
        }
        WatchFeed.Mark at = new WatchFeed.Mark(entry.revision(), entry.timeMillis());
        Iterator<WatchEvent> events = WatchEvents.of(entry.changes(), scope);
        if (events.hasNext()) {
            current = new Fragments(at, token(at.revision()), false, events);
        } else {
            place = at;
        }
        return true;
    }

    private Turn markIfQuiet(WatchSink sink, long nowNanos) {
        long quietNanos = nowNanos - sentNanos;
        boolean progress = place.revision() > sentRevision;
        if (quietNanos >= MARK_NANOS || (progress && quietNanos >= PROGRESS_NANOS)) {
            mark(sink, nowNanos);
        }
        return Turn.WAIT;
    }

    private void mark(WatchSink sink, long nowNanos) {
        told = true;
        WatchResponse mark = WatchResponse.newBuilder()
                .setRevision(place.revision())
                .setTimeMillis(place.timeMillis())
                .setLastInRevision(true)
                .setResumeToken(token(place.revision()))
                .build();
        send(sink, mark, nowNanos);
    }

    private void send(WatchSink sink, WatchResponse message, long nowNanos) {
        sentNanos = nowNanos;
        sentRevision = message.getRevision();
        sink.send(message);
    }

    private String token(long revision) {
        return new ResumeToken(historyId, revision).encode();
    }

    private Turn end(WatchSink sink, Refused why) {
        ended = true;
        current = null;
        fetched.clear();
        sink.end(why);
        return Turn.ENDED;
    }

    private Refused compacted() {
        return new Refused(Refused.detail(
                        ErrorCode.ERROR_CODE_COMPACTED,
                        (listing() ? "initialList: of revision " : "fromRevision: ") + place.revision() + " (expected: "
                                + feed.oldest() + " or later; list again, then watch from the list's revision)")
                .setOldestRevision(feed.oldest())
                .build());
    }

    private Refused cut() {
        String token = token(place.revision());
        return new Refused(Refused.detail(
                        ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED,
                        "watch: read up to revision " + place.revision() + ", "
                                + feed.newest().revision()
                                + " is applied (expected: a faster reader; go on with resume token " + token + ")")
                .setResumeToken(token)
                .setOldestRevision(feed.oldest())
                .build());
    }
}
