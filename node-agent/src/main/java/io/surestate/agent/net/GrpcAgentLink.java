package io.surestate.agent.net;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.surestate.agent.core.AgentLink;
import io.surestate.agent.core.BootClock;
import io.surestate.api.v1.AgentMessage;
import io.surestate.api.v1.AgentsGrpc;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.ServerMessage;
import io.surestate.client.ClusterClient;
import io.surestate.client.Endpoint;
import io.surestate.client.ErrorDetails;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Control streams over gRPC. Called on the agent thread; what the network thread hears is handed over to it.
 *
 * <p>The next message is asked for only when the one before has been dealt with, so nothing piles up here.
 */
public final class GrpcAgentLink implements AgentLink {
    private final ClusterClient client;
    private final Executor agentThread;
    private final BootClock clock;
    private Optional<Stream> current = Optional.empty();

    public GrpcAgentLink(ClusterClient client, Executor agentThread, BootClock clock) {
        this.client = client;
        this.agentThread = agentThread;
        this.clock = clock;
    }

    @Override
    public void open(long number, Events events) {
        Endpoint endpoint = client.endpoints().current();
        Stream stream = new Stream(number, endpoint, events);
        current = Optional.of(stream);
        AgentsGrpc.newStub(client.channel(endpoint)).connect(stream);
    }

    @Override
    public void send(long number, AgentMessage message) {
        find(number).ifPresent(stream -> stream.requests().onNext(message));
    }

    @Override
    public void close(long number, boolean failed) {
        find(number).ifPresent(stream -> {
            current = Optional.empty();
            if (failed) {
                client.endpoints().failed(stream.endpoint);
            }
            stream.requests().cancel("the agent gave this stream up", null);
        });
    }

    private Optional<Stream> find(long number) {
        return current.filter(stream -> stream.number == number);
    }

    private final class Stream implements ClientResponseObserver<AgentMessage, ServerMessage> {
        private final long number;
        private final Endpoint endpoint;
        private final Events events;
        private Optional<ClientCallStreamObserver<AgentMessage>> requests = Optional.empty();

        Stream(long number, Endpoint endpoint, Events events) {
            this.number = number;
            this.endpoint = endpoint;
            this.events = events;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<AgentMessage> observer) {
            observer.disableAutoRequestWithInitial(1);
            requests = Optional.of(observer);
        }

        ClientCallStreamObserver<AgentMessage> requests() {
            return requests.orElseThrow();
        }

        @Override
        public void onNext(ServerMessage message) {
            agentThread.execute(() -> {
                if (find(number).isPresent()) {
                    events.message(number, message, clock.nowMillis());
                    requests().request(1);
                }
            });
        }

        @Override
        public void onError(Throwable failure) {
            agentThread.execute(() -> ended(ErrorDetails.of(failure)));
        }

        @Override
        public void onCompleted() {
            agentThread.execute(() -> ended(ErrorDetail.newBuilder()
                    .setCode(ErrorCode.ERROR_CODE_UNAVAILABLE)
                    .setMessage("the server ended the stream")
                    .build()));
        }

        private void ended(ErrorDetail why) {
            if (find(number).isEmpty()) {
                return;
            }
            current = Optional.empty();
            client.endpoints().moveOn(endpoint, why);
            events.closed(number, why, clock.nowMillis());
        }
    }
}
