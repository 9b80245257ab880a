package io.surestate.server.node;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ExecOrder;
import io.surestate.api.v1.ExecOutput;
import io.surestate.api.v1.ExecRequest;
import io.surestate.api.v1.ExecResponse;
import io.surestate.api.v1.ExecStart;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ServerMessage;
import io.surestate.server.api.Problems;
import io.surestate.server.api.Refused;
import io.surestate.server.api.Replies;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Joins a caller that runs a command within a task with the stream that the task's agent opens for it, or with the leader. Thread-safe.
 */
public final class ExecRelay {
    private static final int CALLERS_MAX = 1_000;

    private final AgentHub hub;
    private final String self;
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, Caller> callers = new ConcurrentHashMap<>();

    public ExecRelay(AgentHub hub, String self) {
        this.hub = hub;
        this.self = self;
    }

    /** Where a caller's command runs: asked of another server, or on a node of this one's. */
    public sealed interface Destination {
        /** Another server decides. */
        record Elsewhere(Channel leader) implements Destination {}

        /** A task's place. */
        record OnNode(String node, String allocationId) implements Destination {}
    }

    /**
     * A caller's stream.
     *
     * @param route decides by the first message; refuses by an exception
     */
    public StreamObserver<ExecRequest> open(
            StreamObserver<ExecResponse> caller, Function<ExecStart, Destination> route) {
        return new Caller((ServerCallStreamObserver<ExecResponse>) caller, route);
    }

    /** The agent's answering stream. */
    StreamObserver<ExecOutput> receive(ServerCallStreamObserver<ExecRequest> toAgent) {
        return new Attached(toAgent);
    }

    /** One command's caller. */
    private final class Caller implements StreamObserver<ExecRequest> {
        private final ServerCallStreamObserver<ExecResponse> out;
        private final Function<ExecStart, Destination> route;
        private final String id = self + "-" + ids.incrementAndGet();
        private volatile @Nullable OneWay<ExecRequest> onward;
        private volatile @Nullable OneWay<ExecResponse> back;
        private boolean begun;
        private boolean halfClosed;
        private boolean over;

        Caller(ServerCallStreamObserver<ExecResponse> out, Function<ExecStart, Destination> route) {
            this.out = out;
            this.route = route;
            out.disableAutoRequest();
            out.setOnReadyHandler(() -> {
                OneWay<ExecResponse> joined = back;
                if (joined != null) {
                    joined.askForMore();
                }
            });
            out.setOnCancelHandler(this::hangUp);
            out.request(1);
        }

        @Override
        public void onNext(ExecRequest message) {
            OneWay<ExecRequest> joined = onward;
            if (joined != null) {
                joined.pass(message);
            } else if (!begun) {
                begun = true;
                try {
                    begin(message);
                } catch (RuntimeException refused) {
                    fail(Replies.toGrpc(
                            refused, Refused.of(ErrorCode.ERROR_CODE_UNAVAILABLE, "exec: not begun in time")));
                }
            }
        }

        private void begin(ExecRequest first) {
            if (!first.hasStart()) {
                throw Problems.invalid("body: not a start (expected: a start as the first message)");
            }
            Destination destination = route.apply(first.getStart());
            if (destination instanceof Destination.Elsewhere elsewhere) {
                passOn(elsewhere.leader(), first);
            } else if (destination instanceof Destination.OnNode place) {
                order(place, first.getStart());
            }
        }

        private void order(Destination.OnNode place, ExecStart start) {
            if (callers.size() >= CALLERS_MAX) {
                throw Refused.exhausted("commands: " + callers.size() + " (expected: fewer than " + CALLERS_MAX + ")");
            }
            callers.put(id, this);
            ServerMessage order = ServerMessage.newBuilder()
                    .setExec(ExecOrder.newBuilder()
                            .setStreamId(id)
                            .setAllocationId(place.allocationId())
                            .setStart(start))
                    .build();
            hub.onLoop(() -> {
                if (!hub.tell(place.node(), order)) {
                    fail(Refused.of(
                                    ErrorCode.ERROR_CODE_UNAVAILABLE,
                                    "node: " + place.node() + " is not connected (expected: its agent to be running)")
                            .toGrpc());
                }
            });
        }

        /** The call to the leader ends with this one, whose context it is made in. */
        private void passOn(Channel leader, ExecRequest first) {
            ClientCalls.asyncBidiStreamingCall(
                    leader.newCall(JobsGrpc.getExecMethod(), CallOptions.DEFAULT),
                    new ClientResponseObserver<ExecRequest, ExecResponse>() {
                        @Override
                        public void beforeStart(ClientCallStreamObserver<ExecRequest> toLeader) {
                            toLeader.disableAutoRequestWithInitial(1);
                            OneWay<ExecRequest> way = join(toLeader::request, toLeader);
                            toLeader.setOnReadyHandler(way::askForMore);
                        }

                        @Override
                        public void onNext(ExecResponse response) {
                            deliver(response);
                        }

                        @Override
                        public void onError(Throwable failure) {
                            fail(failure);
                        }

                        @Override
                        public void onCompleted() {
                            complete();
                        }
                    });
            OneWay<ExecRequest> way = onward;
            if (way != null) {
                way.pass(first);
            }
        }

        /** @param source asks the other side for more */
        synchronized OneWay<ExecRequest> join(IntConsumer source, CallStreamObserver<ExecRequest> other) {
            back = new OneWay<>(source, out);
            OneWay<ExecRequest> way = new OneWay<>(out::request, other);
            onward = way;
            return way;
        }

        /** The agent is there: whatever the caller sends from here on is for it. */
        synchronized void attach(ServerCallStreamObserver<ExecRequest> agent) {
            OneWay<ExecRequest> way = join(agent::request, agent);
            if (over) {
                way.fail(Refused.of(ErrorCode.ERROR_CODE_NOT_FOUND, "stream: the caller is gone")
                        .toGrpc());
            } else if (halfClosed) {
                way.pass(ExecRequest.newBuilder().setInputEnd(true).build());
            } else {
                way.skip();
            }
        }

        void ready() {
            OneWay<ExecRequest> joined = onward;
            if (joined != null) {
                joined.askForMore();
            }
        }

        void deliver(ExecResponse response) {
            OneWay<ExecResponse> joined = back;
            if (joined != null) {
                joined.pass(response);
            }
        }

        void skip() {
            OneWay<ExecResponse> joined = back;
            if (joined != null) {
                joined.skip();
            }
        }

        synchronized void complete() {
            callers.remove(id);
            if (!over) {
                over = true;
                out.onCompleted();
            }
        }

        synchronized void fail(Throwable reason) {
            callers.remove(id);
            if (!over) {
                over = true;
                out.onError(reason);
            }
        }

        private synchronized void hangUp() {
            callers.remove(id);
            over = true;
            OneWay<ExecResponse> answers = back;
            if (answers != null) {
                answers.end();
            }
            OneWay<ExecRequest> joined = onward;
            if (joined != null) {
                joined.fail(Refused.of(ErrorCode.ERROR_CODE_NOT_FOUND, "stream: the caller hung up")
                        .toGrpc());
            }
        }

        @Override
        public void onError(Throwable broken) {
            hangUp();
        }

        @Override
        public synchronized void onCompleted() {
            halfClosed = true;
            OneWay<ExecRequest> joined = onward;
            if (joined != null) {
                joined.pass(ExecRequest.newBuilder().setInputEnd(true).build());
            }
        }
    }

    /** One agent's stream. */
    private final class Attached implements StreamObserver<ExecOutput> {
        private final ServerCallStreamObserver<ExecRequest> toAgent;
        private @Nullable Caller caller;

        Attached(ServerCallStreamObserver<ExecRequest> toAgent) {
            this.toAgent = toAgent;
            toAgent.disableAutoRequest();
            toAgent.setOnReadyHandler(() -> {
                Caller joined = caller;
                if (joined != null) {
                    joined.ready();
                }
            });
            toAgent.setOnCancelHandler(() -> onError(Refused.of(ErrorCode.ERROR_CODE_UNAVAILABLE, "cancelled")));
            toAgent.request(1);
        }

        @Override
        public void onNext(ExecOutput message) {
            Caller joined = caller;
            if (joined == null) {
                joined = callers.get(message.getStreamId());
                if (joined == null) {
                    toAgent.onError(Refused.of(ErrorCode.ERROR_CODE_NOT_FOUND, "stream: nobody waits for it any more")
                            .toGrpc());
                    return;
                }
                caller = joined;
                joined.attach(toAgent);
            }
            if (!message.getError().isEmpty()) {
                joined.fail(Refused.of(ErrorCode.ERROR_CODE_ILLEGAL_STATE, message.getError())
                        .toGrpc());
            } else if (message.hasResponse()) {
                joined.deliver(message.getResponse());
            } else {
                joined.skip();
            }
        }

        @Override
        public void onError(Throwable broken) {
            Caller joined = caller;
            if (joined != null) {
                joined.fail(Refused.of(ErrorCode.ERROR_CODE_UNAVAILABLE, "exec: the agent's stream broke off")
                        .toGrpc());
            }
        }

        @Override
        public void onCompleted() {
            Caller joined = caller;
            if (joined != null) {
                joined.complete();
            }
            if (!toAgent.isCancelled()) {
                toAgent.onCompleted();
            }
        }
    }
}
