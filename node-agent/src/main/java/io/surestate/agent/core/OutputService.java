package io.surestate.agent.core;

import io.surestate.api.v1.ExecOrder;
import io.surestate.api.v1.OutputRequest;

/** Opens the streams that a server asks for; must not block. */
public interface OutputService {
    /** Task output. */
    void handle(OutputRequest request);

    /** A command within a task. Where tasks are no processes there is nothing to run it in, and the caller's patience ends it. */
    default void handle(ExecOrder order) {}
}
