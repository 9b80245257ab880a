package io.surestate.client;

import io.surestate.api.v1.WatchEvent;
import java.util.List;

/**
 * What a watch told at once: a whole revision, or a part of the initial list. Immutable.
 *
 * @param revision at which this happened, or of which the list is
 * @param timeMillis cluster time of the revision; 0 = not known
 * @param events none = a sign of progress: nothing that the filter lets through happened up to this revision
 * @param kind which of these it is
 */
public record WatchBatch(long revision, long timeMillis, List<WatchEvent> events, Kind kind) {
    public WatchBatch {
        events = List.copyOf(events);
    }

    /** What a batch is. */
    public enum Kind {
        /** The list begins: whatever was listed before is void. More of it may follow. */
        LIST_BEGINS,
        LIST_GOES_ON,
        /** With this the list is complete as of its revision. */
        LIST_ENDS,
        /** Changes of one revision, all of them. */
        CHANGES
    }
}
