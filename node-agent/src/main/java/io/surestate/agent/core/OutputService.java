package io.surestate.agent.core;

import io.surestate.api.v1.OutputRequest;

/** Answers requests for task output; must not block. */
public interface OutputService {
    void handle(OutputRequest request);
}
