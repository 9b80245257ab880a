package io.surestate.agent.core;

import io.surestate.api.v1.DesiredState;
import java.util.Optional;

/** Where the conversation with the servers stands. Immutable; replaced by {@link AgentCore} only. */
sealed interface Session {
    /** No stream; the next one is opened at {@code openMillis}. */
    record Idle(long openMillis) implements Session {}

    /** A hello was sent at {@code sinceMillis} with {@code inventory}; no welcome yet. */
    record Greeting(long stream, long sinceMillis, java.util.List<io.surestate.api.v1.TaskReport> inventory)
            implements Session {}

    /**
     * The leader registered this node.
     *
     * @param desired newest desired state of this stream, once one arrived
     */
    record Serving(
            long stream, long epoch, long heartbeatMillis, long nextHeartbeatMillis, Optional<DesiredState> desired)
            implements Session {
        Serving beaten(long next) {
            return new Serving(stream, epoch, heartbeatMillis, next, desired);
        }

        Serving with(DesiredState newer) {
            return new Serving(stream, epoch, heartbeatMillis, nextHeartbeatMillis, Optional.of(newer));
        }
    }
}
