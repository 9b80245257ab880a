package io.surestate.testkit.sim;

import io.surestate.agent.core.AgentLink.Events;
import io.surestate.api.v1.AgentMessage;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.ServerMessage;
import io.surestate.server.api.Refused;
import io.surestate.server.node.AgentHub;
import io.surestate.server.node.AgentLink;
import java.util.Random;

/**
 * One stream between an agent and a server: in order both ways, nothing twice. What cannot pass breaks it as a whole, and each end hears
 * of that on its own, later. One thread.
 */
final class SimStream {
    private static final int NOTICED_MILLIS_MAX = 8_000;

    private final long number;
    private final SimNode node;
    private final SimAgent agent;
    private final SimServer server;
    private final int serverLife;
    private final Events events;
    private final SimWorld world;
    private final AgentLink serverEnd = new ServerEnd();
    private boolean broken;
    private long lastToServerMillis;
    private long lastToAgentMillis;

    SimStream(long number, SimNode node, SimAgent agent, SimServer server, Events events, SimWorld world) {
        this.number = number;
        this.node = node;
        this.agent = agent;
        this.server = server;
        this.serverLife = server.life();
        this.events = events;
        this.world = world;
        if (!server.runs()) {
            broken = true;
            toldToAgent(SimAgentLink.unavailable(), 1 + random().nextInt(100));
        }
    }

    long number() {
        return number;
    }

    String server() {
        return server.id();
    }

    private Random random() {
        return world.random();
    }

    void toServer(AgentMessage message) {
        if (broken) {
            return;
        }
        if (message.hasHeartbeat()) {
            agent.heartbeatSent(message.getHeartbeat().getSequence());
        }
        if (!world.network().passes(node.name(), server.id())) {
            breakOnTheWay();
            return;
        }
        lastToServerMillis = inOrder(lastToServerMillis);
        world.events().after(lastToServerMillis - world.events().nowMillis(), "", () -> {
            if (!broken) {
                atServer(hub -> handle(hub, message));
            }
        });
    }

    private void handle(AgentHub hub, AgentMessage message) {
        switch (message.getBodyCase()) {
            case HELLO -> hub.hello(serverEnd, message.getHello());
            case HEARTBEAT -> hub.heartbeat(serverEnd, message.getHeartbeat());
            case REPORT -> hub.report(serverEnd, message.getReport());
            case BODY_NOT_SET -> throw new IllegalArgumentException("agent message: empty (expected: a body)");
        }
    }

    private void atServer(java.util.function.Consumer<AgentHub> work) {
        if (server.life() == serverLife) {
            server.onLoop(() -> server.core().ifPresent(core -> work.accept(core.agents())));
        }
    }

    private long inOrder(long lastMillis) {
        return Math.max(
                lastMillis + 1, world.events().nowMillis() + world.network().delayMillis());
    }

    /** Nothing passes any more; both ends notice after a while. */
    void breakOnTheWay() {
        if (!broken) {
            broken = true;
            toldToAgent(SimAgentLink.unavailable(), random().nextInt(NOTICED_MILLIS_MAX));
            toldToServer(random().nextInt(NOTICED_MILLIS_MAX));
        }
    }

    void closeByAgent() {
        if (!broken) {
            broken = true;
            boolean passes = world.network().passes(node.name(), server.id());
            toldToServer(passes ? 1 + random().nextInt(20) : random().nextInt(NOTICED_MILLIS_MAX));
        }
    }

    void closeByServer(ErrorDetail why) {
        if (!broken) {
            broken = true;
            boolean passes = world.network().passes(server.id(), node.name());
            long soon = Math.max(lastToAgentMillis + 1 - world.events().nowMillis(), 1) + random().nextInt(20);
            toldToAgent(
                    passes ? why : SimAgentLink.unavailable(), passes ? soon : random().nextInt(NOTICED_MILLIS_MAX));
        }
    }

    private void toldToAgent(ErrorDetail why, long afterMillis) {
        world.events().after(afterMillis, "", () -> agent.run(() -> events.closed(number, why, node.bootMillis())));
    }

    private void toldToServer(long afterMillis) {
        world.events().after(afterMillis, "", () -> atServer(hub -> hub.closed(serverEnd)));
    }

    /** What the hub holds of this stream. */
    private final class ServerEnd implements AgentLink {
        @Override
        public void send(ServerMessage message) {
            world.tasks().sent(server, node, agent, message);
            if (broken) {
                return;
            }
            if (message.hasHeartbeatAck()) {
                agent.granted(
                        message.getHeartbeatAck().getSequence(),
                        message.getHeartbeatAck().getLeaseMillis());
            }
            if (!world.network().passes(server.id(), node.name())) {
                breakOnTheWay();
                return;
            }
            lastToAgentMillis = inOrder(lastToAgentMillis);
            // What is on its way arrives even if the stream ends meanwhile, unless it broke.
            world.events()
                    .after(
                            lastToAgentMillis - world.events().nowMillis(),
                            "",
                            () -> agent.run(() -> events.message(number, message, node.bootMillis())));
        }

        @Override
        public void refuse(Refused reason) {
            closeByServer(reason.detail());
        }
    }
}
