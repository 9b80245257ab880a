package io.surestate.server.ledger;

import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationFilter;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListAllocationsRequest;
import io.surestate.api.v1.ListAllocationsResponse;
import io.surestate.api.v1.PageInfo;
import io.surestate.server.api.ApiContext;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.PageFill;
import io.surestate.server.api.Pages;
import io.surestate.server.api.Replies;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NodeEntry;
import java.util.stream.Stream;

/** Reads allocations; any server answers. */
public final class LedgerService extends LedgerGrpc.LedgerImplBase {
    private final Pages pages;
    private final Authorizer authorizer;

    public LedgerService(ApiContext api) {
        this.pages = api.pages();
        this.authorizer = api.authorizer();
    }

    @Override
    public void listAllocations(ListAllocationsRequest request, StreamObserver<ListAllocationsResponse> caller) {
        Replies.read(caller, () -> {
            authorizer.check(Authorizer.ANONYMOUS, request.getFilter().getTenant(), Authorizer.Action.READ);
            return pages.start(request.getRead(), request.getPage())
                    .thenApply(start -> list(request.getFilter(), start));
        });
    }

    /** Keys of pages are {@code node/allocation}. */
    private ListAllocationsResponse list(AllocationFilter filter, Pages.Start start) {
        ListAllocationsResponse.Builder reply =
                ListAllocationsResponse.newBuilder().setRevision(start.view().revision());
        PageFill fill = new PageFill(start);
        String last = "";
        for (NodeEntry entry : (Iterable<NodeEntry>) nodes(filter, start)::iterator) {
            for (Allocation allocation : entry.allocations()) {
                if (shownBefore(start.afterKey(), allocation) || !passes(filter, allocation)) {
                    continue;
                }
                if (fill.full()) {
                    return reply.setPage(PageInfo.newBuilder().setNextPageToken(pages.next(start, last)))
                            .build();
                }
                reply.addAllocations(allocation);
                fill.add(allocation);
                last = allocation.getNode() + "/" + allocation.getId();
            }
        }
        return reply.build();
    }

    private static Stream<NodeEntry> nodes(AllocationFilter filter, Pages.Start start) {
        ClusterState state = start.view().state();
        if (!filter.getNode().isEmpty()) {
            return state.node(filter.getNode()).stream();
        }
        int slash = start.afterKey().indexOf('/');
        if (slash < 0) {
            return state.nodes().stream();
        }
        String node = start.afterKey().substring(0, slash);
        return Stream.concat(state.node(node).stream(), state.nodesAfter(node).stream());
    }

    /** Pages go by node, then by allocation: only on the node at which the page before ended was something shown. */
    private static boolean shownBefore(String afterKey, Allocation allocation) {
        String ofNode = allocation.getNode() + "/";
        return afterKey.startsWith(ofNode) && allocation.getId().compareTo(afterKey.substring(ofNode.length())) <= 0;
    }

    private static boolean passes(AllocationFilter filter, Allocation allocation) {
        return (filter.getTenant().isEmpty() || filter.getTenant().equals(allocation.getTenant()))
                && (filter.getJobUid().isEmpty()
                        || filter.getJobUid().equals(allocation.getTask().getJobUid()));
    }
}
