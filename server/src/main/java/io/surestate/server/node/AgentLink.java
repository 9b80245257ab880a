package io.surestate.server.node;

import io.surestate.api.v1.ServerMessage;
import io.surestate.server.api.Refused;

/** One agent's control stream, seen from the leader. Safe to call from the leader loop at any time; a dead link ignores everything. */
public interface AgentLink {
    void send(ServerMessage message);

    /** Ends the stream and tells the agent why. */
    void refuse(Refused reason);
}
