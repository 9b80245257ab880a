package io.surestate.server.node;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.AgentMessage;
import io.surestate.api.v1.AgentsGrpc;
import io.surestate.api.v1.ExecOutput;
import io.surestate.api.v1.ExecRequest;
import io.surestate.api.v1.OutputChunk;
import io.surestate.api.v1.SendOutputResponse;
import io.surestate.api.v1.ServerMessage;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.LeaderCalls;
import io.surestate.server.api.Refused;

/** The agents' streams on the wire: everything is passed to the hub, on its loop. A server that does not lead sends agents away. */
public final class AgentsService extends AgentsGrpc.AgentsImplBase {
    private final AgentHub hub;
    private final OutputRelay relay;
    private final ExecRelay execs;
    private final LeaderCalls leaderCalls;
    private final Authorizer authorizer;

    public AgentsService(
            AgentHub hub, OutputRelay relay, ExecRelay execs, LeaderCalls leaderCalls, Authorizer authorizer) {
        this.hub = hub;
        this.relay = relay;
        this.execs = execs;
        this.leaderCalls = leaderCalls;
        this.authorizer = authorizer;
    }

    @Override
    public StreamObserver<AgentMessage> connect(StreamObserver<ServerMessage> toAgent) {
        authorizer.check(Authorizer.ANONYMOUS, "", Authorizer.Action.CONNECT_AGENT);
        WireLink link = new WireLink((ServerCallStreamObserver<ServerMessage>) toAgent);
        if (!leaderCalls.leading()) {
            link.refuse(leaderCalls.notLeader());
        }
        return new StreamObserver<>() {
            @Override
            public void onNext(AgentMessage message) {
                hub.onLoop(() -> handle(link, message));
            }

            @Override
            public void onError(Throwable broken) {
                hub.onLoop(() -> hub.closed(link));
            }

            @Override
            public void onCompleted() {
                hub.onLoop(() -> hub.closed(link));
                link.complete();
            }
        };
    }

    private void handle(AgentLink link, AgentMessage message) {
        switch (message.getBodyCase()) {
            case HELLO -> hub.hello(link, message.getHello());
            case HEARTBEAT -> hub.heartbeat(link, message.getHeartbeat());
            case REPORT -> hub.report(link, message.getReport());
            case BODY_NOT_SET -> {
                // A newer agent's message; nothing to do for this server.
            }
        }
    }

    @Override
    public StreamObserver<OutputChunk> sendOutput(StreamObserver<SendOutputResponse> toAgent) {
        return relay.receive((ServerCallStreamObserver<SendOutputResponse>) toAgent);
    }

    @Override
    public StreamObserver<ExecOutput> attachExec(StreamObserver<ExecRequest> toAgent) {
        return execs.receive((ServerCallStreamObserver<ExecRequest>) toAgent);
    }

    /** Serialises what several threads send; grpc observers are not thread-safe. */
    private static final class WireLink implements AgentLink {
        private final ServerCallStreamObserver<ServerMessage> out;
        private boolean ended;

        WireLink(ServerCallStreamObserver<ServerMessage> out) {
            this.out = out;
            // Without a handler a cancelled call would throw on send.
            out.setOnCancelHandler(() -> {});
        }

        @Override
        public synchronized void send(ServerMessage message) {
            if (!ended && !out.isCancelled()) {
                out.onNext(message);
            }
        }

        @Override
        public synchronized void refuse(Refused reason) {
            if (!ended && !out.isCancelled()) {
                ended = true;
                out.onError(reason.toGrpc());
            }
        }

        synchronized void complete() {
            if (!ended && !out.isCancelled()) {
                ended = true;
                out.onCompleted();
            }
        }
    }
}
