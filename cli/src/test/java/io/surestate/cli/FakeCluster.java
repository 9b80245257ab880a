package io.surestate.cli;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.Status;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.surestate.api.ErrorCodes;
import io.surestate.api.v1.CancelJobRequest;
import io.surestate.api.v1.CancelJobResponse;
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
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListAllocationsRequest;
import io.surestate.api.v1.ListAllocationsResponse;
import io.surestate.api.v1.ListJobEventsRequest;
import io.surestate.api.v1.ListJobEventsResponse;
import io.surestate.api.v1.ListJobsRequest;
import io.surestate.api.v1.ListJobsResponse;
import io.surestate.api.v1.ListNodesRequest;
import io.surestate.api.v1.ListNodesResponse;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.PageInfo;
import io.surestate.api.v1.ReadOutputRequest;
import io.surestate.api.v1.ReadOutputResponse;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.SubmitJobResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on a real port that answers from a script: refusals while it has some, then what it was told to show. */
public final class FakeCluster implements AutoCloseable {
    public final Queue<ErrorDetail> refusals = new ConcurrentLinkedQueue<>();
    public final List<SubmitJobRequest> submitted = new CopyOnWriteArrayList<>();
    public final List<CancelJobRequest> cancelled = new CopyOnWriteArrayList<>();
    /** The last one is shown for ever. */
    public final Queue<GetJobResponse> jobs = new ConcurrentLinkedQueue<>();

    /** Indexes of tasks that write nothing and do not end. */
    public final Set<Integer> silentTasks = ConcurrentHashMap.newKeySet();

    public volatile long clusterMillis;
    private final Server server;

    public FakeCluster() {
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(new FakeJobs())
                    .addService(new FakeNodes())
                    .addService(new FakeServers())
                    .addService(new FakeLedger())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String address() {
        return "127.0.0.1:" + server.getPort();
    }

    public static ErrorDetail refusal(ErrorCode code, String message) {
        return ErrorDetail.newBuilder()
                .setCode(code)
                .setCategory(ErrorCodes.category(code))
                .setRetryable(ErrorCodes.retryable(code))
                .setMessage(message)
                .build();
    }

    private GetJobResponse shownJob() {
        GetJobResponse next = jobs.size() > 1 ? jobs.poll() : jobs.peek();
        return next == null ? GetJobResponse.getDefaultInstance() : next;
    }

    private <R> void answer(StreamObserver<R> caller, R reply) {
        ErrorDetail refusal = refusals.poll();
        if (refusal == null) {
            caller.onNext(reply);
            caller.onCompleted();
        } else {
            caller.onError(status(refusal));
        }
    }

    private static StatusRuntimeException status(ErrorDetail detail) {
        return StatusProto.toStatusRuntimeException(Status.newBuilder()
                .setCode(ErrorCodes.grpcCode(detail.getCode()).value())
                .setMessage(detail.getMessage())
                .addDetails(Any.pack(detail))
                .build());
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private final class FakeJobs extends JobsGrpc.JobsImplBase {
        @Override
        public void submitJob(SubmitJobRequest request, StreamObserver<SubmitJobResponse> caller) {
            submitted.add(request);
            answer(
                    caller,
                    SubmitJobResponse.newBuilder().setJob(request.getJob()).build());
        }

        @Override
        public void cancelJob(CancelJobRequest request, StreamObserver<CancelJobResponse> caller) {
            cancelled.add(request);
            answer(
                    caller,
                    CancelJobResponse.newBuilder()
                            .setJob(Job.newBuilder().setName(request.getJob()))
                            .build());
        }

        @Override
        public void getJob(GetJobRequest request, StreamObserver<GetJobResponse> caller) {
            answer(caller, shownJob());
        }

        @Override
        public void listJobs(ListJobsRequest request, StreamObserver<ListJobsResponse> caller) {
            boolean first = request.getPage().getToken().isEmpty();
            ListJobsResponse.Builder reply = ListJobsResponse.newBuilder();
            if (first) {
                reply.addJobs(Samples.job()).setPage(PageInfo.newBuilder().setNextPageToken("2"));
            } else if (request.getIncludeFinished()) {
                reply.addJobs(Samples.finishedJob());
            }
            answer(caller, reply.build());
        }

        @Override
        public void listJobEvents(ListJobEventsRequest request, StreamObserver<ListJobEventsResponse> caller) {
            answer(
                    caller,
                    ListJobEventsResponse.newBuilder()
                            .addEvents(Samples.event())
                            .build());
        }

        @Override
        public void readOutput(ReadOutputRequest request, StreamObserver<ReadOutputResponse> caller) {
            if (silentTasks.contains(request.getIndex())) {
                return;
            }
            String line = "line of " + request.getIndex() + "\n";
            answer(
                    caller,
                    ReadOutputResponse.newBuilder()
                            .setData(ByteString.copyFromUtf8(line))
                            .build());
        }
    }

    private final class FakeNodes extends NodesGrpc.NodesImplBase {
        @Override
        public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> caller) {
            answer(
                    caller,
                    ListNodesResponse.newBuilder()
                            .addNodes(Samples.node())
                            .addUsages(Samples.usage())
                            .build());
        }
    }

    private final class FakeServers extends ClusterGrpc.ClusterImplBase {
        @Override
        public void getStatus(GetStatusRequest request, StreamObserver<GetStatusResponse> caller) {
            answer(
                    caller,
                    GetStatusResponse.newBuilder()
                            .setMeta(ClusterMeta.newBuilder().setClusterId("c1").setTimeMillis(clusterMillis))
                            .setLeaderId("s1")
                            .setTerm(3)
                            .setServersReachable(1)
                            .setServersTotal(3)
                            .build());
        }
    }

    private final class FakeLedger extends LedgerGrpc.LedgerImplBase {
        @Override
        public void listAllocations(ListAllocationsRequest request, StreamObserver<ListAllocationsResponse> caller) {
            answer(caller, ListAllocationsResponse.getDefaultInstance());
        }
    }
}
