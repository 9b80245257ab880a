package io.surestate.server.log;

import java.util.concurrent.CompletableFuture;

/** Questions to other servers about leadership. Thread-safe; every answer comes or fails within a bounded time. */
public interface Peers {
    /** The server's term at some moment after this call began. */
    CompletableFuture<Long> term(String serverId);

    /** A read index that the server, as leader, confirms with a majority after this call began. */
    CompletableFuture<Long> readIndex(String serverId);
}
