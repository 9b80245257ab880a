package io.surestate.server.watch;

import io.surestate.api.v1.WatchResponse;
import io.surestate.server.api.Refused;

/** Where a watcher's messages go. Called in turns, never by two threads at once. */
public interface WatchSink {
    /** Whether another message can be taken without piling up. */
    boolean ready();

    void send(WatchResponse message);

    /** The watch is over; nothing more is sent. */
    void end(Refused why);
}
