package io.surestate.agent;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.AgentMessage;
import io.surestate.api.v1.AgentsGrpc;
import io.surestate.api.v1.DesiredState;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.HeartbeatAck;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.NodeConditionList;
import io.surestate.api.v1.OutputChunk;
import io.surestate.api.v1.OutputRequest;
import io.surestate.api.v1.ReportAck;
import io.surestate.api.v1.SendOutputResponse;
import io.surestate.api.v1.ServerMessage;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.api.v1.Telemetry;
import io.surestate.api.v1.Welcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A leader of one node on a real port: grants leases, repeats what it wants, remembers what it hears. */
final class FakeLeader extends AgentsGrpc.AgentsImplBase implements AutoCloseable {
    static final long LEASE_MILLIS = 4_000;

    final List<Hello> hellos = new CopyOnWriteArrayList<>();
    final Map<String, TaskReport> reports = new ConcurrentHashMap<>();
    final Map<Integer, DeviceReport> devices = new ConcurrentHashMap<>();
    final List<NodeConditionList> conditions = new CopyOnWriteArrayList<>();
    final List<Telemetry> telemetry = new CopyOnWriteArrayList<>();
    final List<OutputChunk> chunks = new CopyOnWriteArrayList<>();
    final List<String> finishedStreams = new CopyOnWriteArrayList<>();
    volatile boolean grants = true;

    private final Server server;
    private DesiredState desired = DesiredState.getDefaultInstance();
    private StreamObserver<ServerMessage> agent = new Nobody<>();
    private long epoch;

    FakeLeader() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(this)
                .build()
                .start();
    }

    String endpoint() {
        return "127.0.0.1:" + server.getPort();
    }

    synchronized void want(DesiredTask... tasks) {
        desired = DesiredState.newBuilder()
                .setRevision(desired.getRevision() + 1)
                .addAllTasks(List.of(tasks))
                .build();
        agent.onNext(ServerMessage.newBuilder().setDesired(desired).build());
    }

    synchronized void ask(OutputRequest request) {
        agent.onNext(ServerMessage.newBuilder().setOutput(request).build());
    }

    TaskState state(String allocationId) {
        return report(allocationId).getState();
    }

    TaskReport report(String allocationId) {
        return reports.getOrDefault(allocationId, TaskReport.getDefaultInstance());
    }

    DeviceReport device(int ordinal) {
        return devices.getOrDefault(ordinal, DeviceReport.getDefaultInstance());
    }

    String output() {
        return chunks.stream()
                .map(OutputChunk::getData)
                .reduce(ByteString.EMPTY, ByteString::concat)
                .toStringUtf8();
    }

    @Override
    public StreamObserver<AgentMessage> connect(StreamObserver<ServerMessage> observer) {
        // Without it, an answer to an agent that has just died is an exception.
        ((ServerCallStreamObserver<ServerMessage>) observer).setOnCancelHandler(() -> {});
        return new Nobody<>() {
            @Override
            public void onNext(AgentMessage message) {
                hear(message, observer);
            }
        };
    }

    private synchronized void hear(AgentMessage message, StreamObserver<ServerMessage> observer) {
        ServerMessage.Builder answer = ServerMessage.newBuilder();
        switch (message.getBodyCase()) {
            case HELLO -> {
                hellos.add(message.getHello());
                message.getHello().getInventoryList().forEach(task -> reports.put(task.getAllocationId(), task));
                agent = observer;
                answer.setWelcome(Welcome.newBuilder().setEpoch(++epoch).setHeartbeatMillis(500));
                observer.onNext(answer.build());
                answer.setDesired(desired);
            }
            case HEARTBEAT -> {
                if (message.getHeartbeat().hasTelemetry()) {
                    telemetry.add(message.getHeartbeat().getTelemetry());
                }
                answer.setHeartbeatAck(HeartbeatAck.newBuilder()
                        .setSequence(message.getHeartbeat().getSequence())
                        .setLeaseMillis(grants ? LEASE_MILLIS : 0));
            }
            default -> {
                message.getReport().getDevicesList().forEach(device -> devices.put(device.getOrdinal(), device));
                if (message.getReport().hasConditions()) {
                    conditions.add(message.getReport().getConditions());
                }
                message.getReport().getTasksList().forEach(task -> reports.put(task.getAllocationId(), task));
                answer.setReportAck(
                        ReportAck.newBuilder().setSequence(message.getReport().getSequence()));
            }
        }
        observer.onNext(answer.build());
    }

    @Override
    public StreamObserver<OutputChunk> sendOutput(StreamObserver<SendOutputResponse> observer) {
        return new Nobody<>() {
            private String stream = "";

            @Override
            public void onNext(OutputChunk chunk) {
                stream = chunk.getStreamId();
                chunks.add(chunk);
            }

            @Override
            public void onCompleted() {
                finishedStreams.add(stream);
                observer.onNext(SendOutputResponse.getDefaultInstance());
                observer.onCompleted();
            }
        };
    }

    /** Stops serving; the port is free again. */
    @Override
    public void close() {
        server.shutdownNow();
    }

    private static class Nobody<T> implements StreamObserver<T> {
        @Override
        public void onNext(T message) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }
}
