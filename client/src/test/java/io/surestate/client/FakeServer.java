package io.surestate.client;

import com.google.protobuf.Any;
import com.google.rpc.Status;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.surestate.api.ErrorCodes;
import io.surestate.api.v1.AcknowledgeOutcomesRequest;
import io.surestate.api.v1.AcknowledgeOutcomesResponse;
import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.GetStatusResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ReadOutputRequest;
import io.surestate.api.v1.ReadOutputResponse;
import io.surestate.api.v1.RequestHeader;
import io.surestate.api.v1.RequestsGrpc;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.SubmitJobResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on a real port that plays a script: one refusal per call while it has some, then answers. */
final class FakeServer extends JobsGrpc.JobsImplBase implements AutoCloseable {
    final Queue<ErrorDetail> refusals = new ConcurrentLinkedQueue<>();
    final List<String> submitted = new CopyOnWriteArrayList<>();
    final List<String> read = new CopyOnWriteArrayList<>();
    final List<RequestHeader> headers = new CopyOnWriteArrayList<>();
    final List<AcknowledgeOutcomesRequest> acknowledged = new CopyOnWriteArrayList<>();
    volatile boolean silent;
    volatile long timeMillis;
    private final Server server;

    FakeServer() {
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(this)
                    .addService(new Clock())
                    .addService(new Outcomes())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Endpoint endpoint() {
        return new Endpoint("127.0.0.1", server.getPort());
    }

    static ErrorDetail refusal(ErrorCode code) {
        return ErrorDetail.newBuilder()
                .setCode(code)
                .setCategory(ErrorCodes.category(code))
                .setRetryable(ErrorCodes.retryable(code))
                .setMessage("scripted")
                .build();
    }

    @Override
    public void submitJob(SubmitJobRequest request, StreamObserver<SubmitJobResponse> observer) {
        submitted.add(request.getHeader().getRequestId());
        headers.add(request.getHeader());
        answer(observer, SubmitJobResponse.newBuilder().setRevision(7).build());
    }

    @Override
    public void getJob(GetJobRequest request, StreamObserver<GetJobResponse> observer) {
        read.add(request.getJob());
        answer(
                observer,
                GetJobResponse.newBuilder()
                        .setJob(Job.newBuilder().setName(request.getJob()))
                        .build());
    }

    @Override
    public void readOutput(ReadOutputRequest request, StreamObserver<ReadOutputResponse> observer) {
        read.add(request.getJob());
        for (int i = 0; i < 3 && refusals.isEmpty(); i++) {
            observer.onNext(ReadOutputResponse.newBuilder().setOffset(i).build());
        }
        answer(observer, ReadOutputResponse.newBuilder().setOffset(3).build());
    }

    private <R> void answer(StreamObserver<R> observer, R response) {
        ErrorDetail refusal = refusals.poll();
        if (refusal != null) {
            observer.onError(status(refusal));
        } else if (!silent) {
            observer.onNext(response);
            observer.onCompleted();
        }
    }

    static StatusRuntimeException status(ErrorDetail detail) {
        return StatusProto.toStatusRuntimeException(Status.newBuilder()
                .setCode(ErrorCodes.grpcCode(detail.getCode()).value())
                .setMessage(detail.getMessage())
                .addDetails(Any.pack(detail))
                .build());
    }

    private final class Clock extends ClusterGrpc.ClusterImplBase {
        @Override
        public void getStatus(GetStatusRequest request, StreamObserver<GetStatusResponse> observer) {
            answer(
                    observer,
                    GetStatusResponse.newBuilder()
                            .setMeta(ClusterMeta.newBuilder().setTimeMillis(timeMillis))
                            .build());
        }
    }

    private final class Outcomes extends RequestsGrpc.RequestsImplBase {
        @Override
        public void acknowledgeOutcomes(
                AcknowledgeOutcomesRequest request, StreamObserver<AcknowledgeOutcomesResponse> observer) {
            acknowledged.add(request);
            answer(observer, AcknowledgeOutcomesResponse.getDefaultInstance());
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
