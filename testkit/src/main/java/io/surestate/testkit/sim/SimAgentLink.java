package io.surestate.testkit.sim;

import io.surestate.agent.core.AgentLink;
import io.surestate.api.v1.AgentMessage;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import java.util.Optional;

/** The streams of one agent process, one at a time. One thread. */
final class SimAgentLink implements AgentLink {
    private final SimNode node;
    private final SimAgent agent;
    private final SimWorld world;
    private Optional<SimStream> present = Optional.empty();
    private String hint = "";

    SimAgentLink(SimNode node, SimAgent agent, SimWorld world) {
        this.node = node;
        this.agent = agent;
        this.world = world;
    }

    @Override
    public void open(long stream, Events events) {
        SimServer server = world.server(hint).orElseGet(() -> world.pick(world.servers()));
        hint = "";
        Events remembering = new Events() {
            @Override
            public void message(long number, io.surestate.api.v1.ServerMessage message, long nowMillis) {
                hint = server.id();
                events.message(number, message, nowMillis);
            }

            @Override
            public void closed(long number, ErrorDetail why, long nowMillis) {
                hint = why.getLeaderHint();
                events.closed(number, why, nowMillis);
            }
        };
        present = Optional.of(new SimStream(stream, node, agent, server, remembering, world));
    }

    @Override
    public void send(long stream, AgentMessage message) {
        of(stream).ifPresent(open -> open.toServer(node.hardware().told(message)));
    }

    @Override
    public void close(long stream, boolean failed) {
        of(stream).ifPresent(open -> {
            open.closeByAgent();
            present = Optional.empty();
            if (failed) {
                hint = "";
            }
        });
    }

    private Optional<SimStream> of(long stream) {
        return present.filter(open -> open.number() == stream);
    }

    void processGone() {
        present.ifPresent(SimStream::closeByAgent);
        present = Optional.empty();
    }

    void serverGone(String server) {
        present.filter(open -> open.server().equals(server)).ifPresent(open -> open.closeByServer(unavailable()));
    }

    void breakStream() {
        present.ifPresent(SimStream::breakOnTheWay);
    }

    static ErrorDetail unavailable() {
        return ErrorDetail.newBuilder()
                .setCode(ErrorCode.ERROR_CODE_UNAVAILABLE)
                .setMessage("stream: broken")
                .build();
    }
}
