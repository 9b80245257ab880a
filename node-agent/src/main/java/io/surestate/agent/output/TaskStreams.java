package io.surestate.agent.output;

import io.surestate.agent.core.OutputService;
import io.surestate.api.v1.ExecOrder;
import io.surestate.api.v1.OutputRequest;

/** The streams of tasks that are processes. */
public record TaskStreams(OutputStreams output, ExecSessions execs) implements OutputService {
    @Override
    public void handle(OutputRequest request) {
        output.handle(request);
    }

    @Override
    public void handle(ExecOrder order) {
        execs.handle(order);
    }
}
