package io.surestate.server.watch;

import io.surestate.api.Limits;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchResponse;
import java.util.Iterator;

/**
 * One revision, or the initial list, cut into messages of bounded size. Only the last one carries the resume token. Used by one thread at
 * a time.
 */
final class Fragments {
    private final WatchFeed.Mark mark;
    private final String resumeToken;
    private final boolean initial;
    private final Iterator<WatchEvent> events;

    Fragments(WatchFeed.Mark mark, String resumeToken, boolean initial, Iterator<WatchEvent> events) {
        this.mark = mark;
        this.resumeToken = resumeToken;
        this.initial = initial;
        this.events = events;
    }

    long revision() {
        return mark.revision();
    }

    boolean initial() {
        return initial;
    }

    /** The next message; the last one is marked as such. */
    WatchResponse next() {
        WatchResponse.Builder message = WatchResponse.newBuilder()
                .setRevision(mark.revision())
                .setTimeMillis(mark.timeMillis())
                .setInitial(initial);
        long bytes = 0;
        while (events.hasNext()
                && message.getEventsCount() < Limits.WATCH_EVENTS_PER_MESSAGE_MAX
                && bytes < Limits.PAGE_BYTES_MAX) {
            WatchEvent event = events.next();
            message.addEvents(event);
            bytes += event.getSerializedSize();
        }
        if (!events.hasNext()) {
            message.setLastInRevision(true).setResumeToken(resumeToken);
        }
        return message.build();
    }
}
