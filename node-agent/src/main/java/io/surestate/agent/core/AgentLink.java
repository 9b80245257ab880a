package io.surestate.agent.core;

import io.surestate.api.v1.AgentMessage;

/**
 * Control streams to the servers. Agent thread only; whatever arrives is handed to {@link AgentCore} on the same thread with the
 * number of its stream, and the link itself remembers which server leads.
 */
public interface AgentLink {
    /** Opens a stream to the server to be asked next. */
    void open(long stream);

    void send(long stream, AgentMessage message);

    /**
     * Ends a stream.
     *
     * @param failed the server did not serve: ask another one next
     */
    void close(long stream, boolean failed);
}
