package io.surestate.agent.core;

import io.surestate.api.v1.DesiredState;
import io.surestate.api.v1.TaskReport;
import java.util.List;
import java.util.Optional;

/** Where the conversation with the servers stands. Immutable; replaced by {@link AgentCore} only. */
sealed interface Session {
    /** No stream; the next one is opened at {@code openMillis}. */
    record Idle(long openMillis) implements Session {}

    /** A hello was sent at {@code sinceMillis} with {@code inventory} of {@code picture}; no welcome yet. */
    record Greeting(long stream, long sinceMillis, List<TaskReport> inventory, NodePicture picture)
            implements Session {}

    /**
     * The leader registered this node.
     *
     * @param picture of the node, of the same shape as the hello told it
     * @param desired newest desired state of this stream, once one arrived
     */
    record Serving(
            long stream,
            long epoch,
            NodePicture picture,
            long heartbeatMillis,
            long nextHeartbeatMillis,
            Optional<DesiredState> desired)
            implements Session {
        Serving beaten(long next) {
            return new Serving(stream, epoch, picture, heartbeatMillis, next, desired);
        }

        Serving seeing(NodePicture now) {
            return new Serving(stream, epoch, now, heartbeatMillis, nextHeartbeatMillis, desired);
        }

        Serving with(DesiredState newer) {
            return new Serving(stream, epoch, picture, heartbeatMillis, nextHeartbeatMillis, Optional.of(newer));
        }
    }
}
