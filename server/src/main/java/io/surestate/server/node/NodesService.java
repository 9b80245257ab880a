package io.surestate.server.node;

import io.grpc.stub.StreamObserver;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.CordonNodeRequest;
import io.surestate.api.v1.CordonNodeResponse;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.FenceNodeRequest;
import io.surestate.api.v1.FenceNodeResponse;
import io.surestate.api.v1.GetNodeRequest;
import io.surestate.api.v1.GetNodeResponse;
import io.surestate.api.v1.ListNodesRequest;
import io.surestate.api.v1.ListNodesResponse;
import io.surestate.api.v1.ListTelemetryRequest;
import io.surestate.api.v1.ListTelemetryResponse;
import io.surestate.api.v1.NodeFilter;
import io.surestate.api.v1.NodeTelemetry;
import io.surestate.api.v1.NodeUsage;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.PageInfo;
import io.surestate.api.v1.PlanNodeRequest;
import io.surestate.api.v1.PlanNodeResponse;
import io.surestate.api.v1.RemoveNodeRequest;
import io.surestate.api.v1.RemoveNodeResponse;
import io.surestate.api.v1.UncordonNodeRequest;
import io.surestate.api.v1.UncordonNodeResponse;
import io.surestate.log.v1.CordonNode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.FenceNode;
import io.surestate.log.v1.PlanNode;
import io.surestate.log.v1.RemoveNode;
import io.surestate.log.v1.UncordonNode;
import io.surestate.manifest.hardware.NodeRules;
import io.surestate.server.api.ApiContext;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.LeaderCalls;
import io.surestate.server.api.PageFill;
import io.surestate.server.api.Pages;
import io.surestate.server.api.Problems;
import io.surestate.server.api.Reads;
import io.surestate.server.api.Refused;
import io.surestate.server.api.Replies;
import io.surestate.server.request.Mutations;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.NodeEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Reads nodes and what is left of them; any server answers. */
public final class NodesService extends NodesGrpc.NodesImplBase {
    private static final int WHOLE_DEVICE_MILLI = 1000;

    private final Mutations mutations;
    private final TelemetryBoard telemetry;
    private final LeaderCalls leader;
    private final Reads reads;
    private final Pages pages;
    private final Authorizer authorizer;
    private final Function<String, Optional<String>> whyNotMoved;

    /**
     * Answers from these.
     *
     * @param telemetry what agents tell while this server leads
     * @param whyNotMoved of a job that must leave a node, as the leader knows
     */
    public NodesService(
            Mutations mutations,
            TelemetryBoard telemetry,
            Function<String, Optional<String>> whyNotMoved,
            ApiContext api) {
        this.mutations = mutations;
        this.telemetry = telemetry;
        this.whyNotMoved = whyNotMoved;
        this.leader = api.leader();
        this.reads = api.reads();
        this.pages = api.pages();
        this.authorizer = api.authorizer();
    }

    @Override
    public void getNode(GetNodeRequest request, StreamObserver<GetNodeResponse> caller) {
        Replies.read(caller, () -> {
            authorizer.check(Authorizer.ANONYMOUS, "", Authorizer.Action.READ);
            return reads.view(request.getRead()).thenCompose(view -> {
                NodeEntry entry = view.state()
                        .node(request.getName())
                        .orElseThrow(() -> Refused.of(
                                ErrorCode.ERROR_CODE_NOT_FOUND,
                                "node: " + request.getName() + " (expected: the name of a registered node)"));
                // Only the leader knows why something is not moved yet.
                boolean asksLeader = entry.draining()
                        && !leader.leading()
                        && !request.getRead().getStale()
                        && !leader.leaderHint().isEmpty();
                return asksLeader
                        ? leader.unary(NodesGrpc.getGetNodeMethod(), request)
                        : CompletableFuture.completedFuture(reply(view, entry));
            });
        });
    }

    private GetNodeResponse reply(StateView view, NodeEntry entry) {
        GetNodeResponse.Builder reply = GetNodeResponse.newBuilder()
                .setNode(entry.node())
                .setUsage(usage(entry))
                .setRevision(view.revision());
        if (entry.draining()) {
            reply.addAllDrainWaits(DrainWaits.of(view.state(), entry, whyNotMoved));
        }
        return reply.build();
    }

    @Override
    public void cordonNode(CordonNodeRequest request, StreamObserver<CordonNodeResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Authorizer.Action.CORDON_NODE);
            Problems.require(Names.subdomainProblem("name", request.getName()));
            Problems.length("reason", request.getReason(), Limits.REASON_CHARS_MAX / 2);
            Problems.range("expectedEpoch", request.getExpectedEpoch(), 0, Long.MAX_VALUE);
            long deadline = request.getDeadlineAfterMillis();
            if (deadline != 0 && !request.getDrain()) {
                throw Problems.invalid("deadline: " + deadline + " ms (expected: with a drain alone)");
            }
            if (deadline != 0) {
                Problems.duration(
                        "deadline", deadline, Limits.DRAIN_DEADLINE_MILLIS_MIN, Limits.DRAIN_DEADLINE_MILLIS_MAX);
            }
            return mutations.submit(new Mutations.Ask<>(
                    NodesGrpc.getCordonNodeMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setCordonNode(CordonNode.newBuilder()
                                    .setNode(request.getName())
                                    .setReason(request.getReason())
                                    .setDrain(request.getDrain())
                                    .setDeadlineAfterMillis(deadline)
                                    .setExpectedEpoch(request.getExpectedEpoch())),
                    done -> CordonNodeResponse.newBuilder()
                            .setNode(done.outcome().getNode())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    @Override
    public void uncordonNode(UncordonNodeRequest request, StreamObserver<UncordonNodeResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Authorizer.Action.CORDON_NODE);
            Problems.require(Names.subdomainProblem("name", request.getName()));
            Problems.range("expectedEpoch", request.getExpectedEpoch(), 0, Long.MAX_VALUE);
            return mutations.submit(new Mutations.Ask<>(
                    NodesGrpc.getUncordonNodeMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setUncordonNode(UncordonNode.newBuilder()
                                    .setNode(request.getName())
                                    .setDrain(request.getDrain())
                                    .setExpectedEpoch(request.getExpectedEpoch())),
                    done -> UncordonNodeResponse.newBuilder()
                            .setNode(done.outcome().getNode())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    @Override
    public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> caller) {
        Replies.read(caller, () -> {
            authorizer.check(Authorizer.ANONYMOUS, "", Authorizer.Action.READ);
            return pages.start(request.getRead(), request.getPage())
                    .thenApply(start -> list(request.getFilter(), start));
        });
    }

    @Override
    public void fenceNode(FenceNodeRequest request, StreamObserver<FenceNodeResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Authorizer.Action.FENCE_NODE);
            Problems.require(Names.subdomainProblem("name", request.getName()));
            Problems.length("reason", request.getReason(), Limits.REASON_CHARS_MAX / 2);
            if (!request.getPoweredOff()) {
                throw Problems.invalid("poweredOff: false (expected: true, the operator's word that nothing on node "
                        + request.getName() + " runs any more)");
            }
            return mutations.submit(new Mutations.Ask<>(
                    NodesGrpc.getFenceNodeMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setFenceNode(FenceNode.newBuilder()
                                    .setNode(request.getName())
                                    .setReason(request.getReason())
                                    .setExpectedEpoch(request.getExpectedEpoch())),
                    done -> FenceNodeResponse.newBuilder()
                            .setNode(done.outcome().getNode())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    @Override
    public void planNode(PlanNodeRequest request, StreamObserver<PlanNodeResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Authorizer.Action.PLAN_NODE);
            Problems.require(Names.subdomainProblem("name", request.getName()));
            Problems.require(NodeRules.problem(request.getSpec()).map(problem -> "spec." + problem));
            return mutations.submit(new Mutations.Ask<>(
                    NodesGrpc.getPlanNodeMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setPlanNode(PlanNode.newBuilder()
                                    .setNode(request.getName())
                                    .setSpec(request.getSpec())),
                    done -> PlanNodeResponse.newBuilder()
                            .setNode(done.outcome().getNode())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    @Override
    public void removeNode(RemoveNodeRequest request, StreamObserver<RemoveNodeResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Authorizer.Action.PLAN_NODE);
            Problems.require(Names.subdomainProblem("name", request.getName()));
            return mutations.submit(new Mutations.Ask<>(
                    NodesGrpc.getRemoveNodeMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder().setRemoveNode(RemoveNode.newBuilder().setNode(request.getName())),
                    done -> RemoveNodeResponse.newBuilder()
                            .setNode(done.outcome().getNode())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    private ListNodesResponse list(NodeFilter filter, Pages.Start start) {
        ListNodesResponse.Builder reply =
                ListNodesResponse.newBuilder().setRevision(start.view().revision());
        PageFill fill = new PageFill(start);
        String last = "";
        for (NodeEntry entry : start.view().state().nodesAfter(start.afterKey())) {
            if (!passes(filter, entry)) {
                continue;
            }
            if (fill.full()) {
                return reply.setPage(PageInfo.newBuilder().setNextPageToken(pages.next(start, last)))
                        .build();
            }
            reply.addNodes(entry.node()).addUsages(usage(entry));
            fill.add(entry.node());
            last = entry.node().getName();
        }
        return reply.build();
    }

    /** Only the leader hears agents. */
    @Override
    public void listTelemetry(ListTelemetryRequest request, StreamObserver<ListTelemetryResponse> caller) {
        Replies.read(caller, () -> {
            authorizer.check(Authorizer.ANONYMOUS, "", Authorizer.Action.READ);
            Problems.range("page.size", request.getPage().getSize(), 0, Limits.PAGE_SIZE_MAX);
            Problems.length("name", request.getName(), Limits.NAME_CHARS_MAX);
            Problems.length("page.token", request.getPage().getToken(), Limits.NAME_CHARS_MAX);
            return leader.leading()
                    ? CompletableFuture.completedFuture(telemetry(request))
                    : leader.unary(NodesGrpc.getListTelemetryMethod(), request);
        });
    }

    private ListTelemetryResponse telemetry(ListTelemetryRequest request) {
        ListTelemetryResponse.Builder reply = ListTelemetryResponse.newBuilder();
        if (!request.getName().isEmpty()) {
            telemetry.told(request.getName()).ifPresent(reply::addNodes);
            return reply.build();
        }
        int asked = request.getPage().getSize();
        int size = asked == 0 ? Limits.PAGE_SIZE_DEFAULT : asked;
        List<NodeTelemetry> nodes = telemetry.after(request.getPage().getToken(), size);
        reply.addAllNodes(nodes);
        if (nodes.size() == size) {
            // The name itself: such a list is of no revision that could be kept.
            reply.setPage(
                    PageInfo.newBuilder().setNextPageToken(nodes.get(size - 1).getNode()));
        }
        return reply.build();
    }

    private static boolean passes(NodeFilter filter, NodeEntry entry) {
        return entry.node().getName().startsWith(filter.getNamePrefix())
                && (filter.getStatesCount() == 0
                        || filter.getStatesList()
                                .contains(entry.node().getStatus().getState()));
    }

    private static NodeUsage usage(NodeEntry entry) {
        var usage = entry.usage();
        return NodeUsage.newBuilder()
                .setCpuMillicoresTotal(usage.capacityCoreMilli())
                .setCpuMillicoresFree(entry.free().cores().totalMilli())
                .setMemoryBytesTotal(usage.capacityMemoryBytes())
                .setMemoryBytesFree(entry.free().memoryBytes())
                .setDevicesTotal((int) (usage.capacityDeviceMilli() / WHOLE_DEVICE_MILLI))
                .setDevicesFree((int) (entry.free().devices().totalMilli() / WHOLE_DEVICE_MILLI))
                .setAllocations(usage.allocations())
                .setDevicesQuarantined(usage.quarantinedDevices())
                .build();
    }
}
