package io.surestate.agent.core;

import io.surestate.api.v1.AgentMessage;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.ServerMessage;

/**
 * Control streams to the servers. Agent thread only. The link itself remembers which server leads.
 *
 * <p>Streams have numbers that never come again, so that what arrives late from a stream that is over is told apart.
 */
public interface AgentLink {
    /** What arrives; called on the agent thread, with the time on the boot clock. */
    interface Events {
        void message(long stream, ServerMessage message, long nowMillis);

        /** The stream ended, by the server or by the network. */
        void closed(long stream, ErrorDetail why, long nowMillis);
    }

    /** Opens a stream to the server to be asked next. */
    void open(long stream, Events events);

    void send(long stream, AgentMessage message);

    /**
     * Ends a stream; nothing more arrives from it.
     *
     * @param failed the server did not serve: ask another one next
     */
    void close(long stream, boolean failed);
}
