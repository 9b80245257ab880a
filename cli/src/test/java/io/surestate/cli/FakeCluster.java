package io.surestate.cli;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
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
import io.surestate.api.v1.CommitPlanRequest;
import io.surestate.api.v1.CommitPlanResponse;
import io.surestate.api.v1.ConfirmHoldRequest;
import io.surestate.api.v1.ConfirmHoldResponse;
import io.surestate.api.v1.CordonNodeRequest;
import io.surestate.api.v1.CordonNodeResponse;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.FenceNodeRequest;
import io.surestate.api.v1.FenceNodeResponse;
import io.surestate.api.v1.FreezeRequest;
import io.surestate.api.v1.FreezeResponse;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.GetNodeRequest;
import io.surestate.api.v1.GetNodeResponse;
import io.surestate.api.v1.GetOutcomeRequest;
import io.surestate.api.v1.GetOutcomeResponse;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.GetStatusResponse;
import io.surestate.api.v1.HoldPlanRequest;
import io.surestate.api.v1.HoldPlanResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListAllocationsRequest;
import io.surestate.api.v1.ListAllocationsResponse;
import io.surestate.api.v1.ListHistoryRequest;
import io.surestate.api.v1.ListHistoryResponse;
import io.surestate.api.v1.ListHoldsRequest;
import io.surestate.api.v1.ListHoldsResponse;
import io.surestate.api.v1.ListJobEventsRequest;
import io.surestate.api.v1.ListJobEventsResponse;
import io.surestate.api.v1.ListJobsRequest;
import io.surestate.api.v1.ListJobsResponse;
import io.surestate.api.v1.ListNodesRequest;
import io.surestate.api.v1.ListNodesResponse;
import io.surestate.api.v1.ListTelemetryRequest;
import io.surestate.api.v1.ListTelemetryResponse;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.PageInfo;
import io.surestate.api.v1.PlanNodeRequest;
import io.surestate.api.v1.PlanNodeResponse;
import io.surestate.api.v1.ReadOutputRequest;
import io.surestate.api.v1.ReadOutputResponse;
import io.surestate.api.v1.ReleaseAllocationsRequest;
import io.surestate.api.v1.ReleaseAllocationsResponse;
import io.surestate.api.v1.ReleaseHoldRequest;
import io.surestate.api.v1.ReleaseHoldResponse;
import io.surestate.api.v1.RemoveNodeRequest;
import io.surestate.api.v1.RemoveNodeResponse;
import io.surestate.api.v1.RequestsGrpc;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.SubmitJobResponse;
import io.surestate.api.v1.UncordonNodeRequest;
import io.surestate.api.v1.UncordonNodeResponse;
import io.surestate.api.v1.UnfreezeRequest;
import io.surestate.api.v1.UnfreezeResponse;
import io.surestate.api.v1.WatchGrpc;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

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
    public volatile long frozenUntilMillis;
    /** Since the last entry. */
    public volatile long idleMillis;
    /** Every request about the ledger, requests, fences, freezes and watches. */
    public final List<Message> asked = new CopyOnWriteArrayList<>();
    /** What is answered to these, or why they are refused; without one the default. */
    public final Map<Class<? extends Message>, Message> replies = new ConcurrentHashMap<>();
    /** What a watch tells before it is refused. */
    public final List<WatchResponse> changes = new CopyOnWriteArrayList<>();
    /** So many watches end as if the server were gone before one is refused. */
    public final AtomicInteger watchesLost = new AtomicInteger();

    public volatile ErrorDetail watchEnd =
            refusal(ErrorCode.ERROR_CODE_COMPACTED, "fromRevision: the end of the script");

    private final Server server;

    public FakeCluster() {
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(new FakeJobs())
                    .addService(new FakeNodes())
                    .addService(new FakeServers())
                    .addService(new FakeLedger())
                    .addService(new FakeRequests())
                    .addService(new FakeWatch())
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

    /** Answers with what stands in {@link #replies} for this kind of request. */
    private <R extends Message> void scripted(Message request, StreamObserver<R> caller, R otherwise) {
        asked.add(request);
        Message reply = replies.getOrDefault(request.getClass(), otherwise);
        if (reply instanceof ErrorDetail refusal) {
            caller.onError(status(refusal));
            return;
        }
        @SuppressWarnings("unchecked") // The tests put what fits.
        R typed = (R) reply;
        answer(caller, typed);
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
        public void listTelemetry(ListTelemetryRequest request, StreamObserver<ListTelemetryResponse> caller) {
            scripted(request, caller, ListTelemetryResponse.getDefaultInstance());
        }

        @Override
        public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> caller) {
            answer(
                    caller,
                    ListNodesResponse.newBuilder()
                            .addNodes(Samples.node())
                            .addUsages(Samples.usage())
                            .build());
        }

        @Override
        public void getNode(GetNodeRequest request, StreamObserver<GetNodeResponse> caller) {
            scripted(
                    request,
                    caller,
                    GetNodeResponse.newBuilder()
                            .setNode(Samples.node())
                            .setUsage(Samples.usage())
                            .build());
        }

        @Override
        public void fenceNode(FenceNodeRequest request, StreamObserver<FenceNodeResponse> caller) {
            scripted(
                    request,
                    caller,
                    FenceNodeResponse.newBuilder().setRevision(77).build());
        }

        @Override
        public void cordonNode(CordonNodeRequest request, StreamObserver<CordonNodeResponse> caller) {
            scripted(
                    request,
                    caller,
                    CordonNodeResponse.newBuilder().setRevision(79).build());
        }

        @Override
        public void uncordonNode(UncordonNodeRequest request, StreamObserver<UncordonNodeResponse> caller) {
            scripted(
                    request,
                    caller,
                    UncordonNodeResponse.newBuilder().setRevision(80).build());
        }

        @Override
        public void planNode(PlanNodeRequest request, StreamObserver<PlanNodeResponse> caller) {
            scripted(
                    request,
                    caller,
                    PlanNodeResponse.newBuilder().setNode(planned(request)).build());
        }

        @Override
        public void removeNode(RemoveNodeRequest request, StreamObserver<RemoveNodeResponse> caller) {
            scripted(
                    request,
                    caller,
                    RemoveNodeResponse.newBuilder().setRevision(78).build());
        }
    }

    private static Node planned(PlanNodeRequest request) {
        return Node.newBuilder()
                .setName(request.getName())
                .setSpec(request.getSpec())
                .setStatus(NodeStatus.newBuilder().setState(NodeState.NODE_STATE_PLANNED))
                .build();
    }

    private final class FakeServers extends ClusterGrpc.ClusterImplBase {
        @Override
        public void getStatus(GetStatusRequest request, StreamObserver<GetStatusResponse> caller) {
            answer(
                    caller,
                    GetStatusResponse.newBuilder()
                            .setMeta(ClusterMeta.newBuilder()
                                    .setClusterId("c1")
                                    .setTimeMillis(clusterMillis)
                                    .setFrozenUntilMillis(frozenUntilMillis))
                            .setTimeMillis(clusterMillis + idleMillis)
                            .setLeaderId("s1")
                            .setTerm(3)
                            .setServersReachable(1)
                            .setServersTotal(3)
                            .build());
        }

        @Override
        public void freeze(FreezeRequest request, StreamObserver<FreezeResponse> caller) {
            scripted(request, caller, FreezeResponse.getDefaultInstance());
        }

        @Override
        public void unfreeze(UnfreezeRequest request, StreamObserver<UnfreezeResponse> caller) {
            scripted(request, caller, UnfreezeResponse.getDefaultInstance());
        }
    }

    private final class FakeLedger extends LedgerGrpc.LedgerImplBase {
        @Override
        public void listAllocations(ListAllocationsRequest request, StreamObserver<ListAllocationsResponse> caller) {
            scripted(request, caller, ListAllocationsResponse.getDefaultInstance());
        }

        @Override
        public void listHolds(ListHoldsRequest request, StreamObserver<ListHoldsResponse> caller) {
            scripted(request, caller, ListHoldsResponse.getDefaultInstance());
        }

        @Override
        public void commitPlan(CommitPlanRequest request, StreamObserver<CommitPlanResponse> caller) {
            scripted(request, caller, CommitPlanResponse.getDefaultInstance());
        }

        @Override
        public void holdPlan(HoldPlanRequest request, StreamObserver<HoldPlanResponse> caller) {
            scripted(request, caller, HoldPlanResponse.getDefaultInstance());
        }

        @Override
        public void confirmHold(ConfirmHoldRequest request, StreamObserver<ConfirmHoldResponse> caller) {
            scripted(request, caller, ConfirmHoldResponse.getDefaultInstance());
        }

        @Override
        public void releaseHold(ReleaseHoldRequest request, StreamObserver<ReleaseHoldResponse> caller) {
            scripted(request, caller, ReleaseHoldResponse.getDefaultInstance());
        }

        @Override
        public void releaseAllocations(
                ReleaseAllocationsRequest request, StreamObserver<ReleaseAllocationsResponse> caller) {
            scripted(request, caller, ReleaseAllocationsResponse.getDefaultInstance());
        }

        @Override
        public void listHistory(ListHistoryRequest request, StreamObserver<ListHistoryResponse> caller) {
            scripted(request, caller, ListHistoryResponse.getDefaultInstance());
        }
    }

    private final class FakeRequests extends RequestsGrpc.RequestsImplBase {
        @Override
        public void getOutcome(GetOutcomeRequest request, StreamObserver<GetOutcomeResponse> caller) {
            scripted(request, caller, GetOutcomeResponse.getDefaultInstance());
        }
    }

    private final class FakeWatch extends WatchGrpc.WatchImplBase {
        @Override
        public void watchChanges(WatchRequest request, StreamObserver<WatchResponse> caller) {
            asked.add(request);
            if (request.getResumeToken().isEmpty()) {
                changes.forEach(caller::onNext);
            }
            boolean lost = watchesLost.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
            caller.onError(status(lost ? refusal(ErrorCode.ERROR_CODE_UNAVAILABLE, "gone") : watchEnd));
        }
    }
}
