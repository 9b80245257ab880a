package io.surestate.server.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationFilter;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.ListAllocationsResponse;
import io.surestate.api.v1.ListHistoryRequest;
import io.surestate.api.v1.ListHistoryResponse;
import io.surestate.api.v1.ListHoldsResponse;
import io.surestate.api.v1.PageInfo;
import io.surestate.server.api.PageFill;
import io.surestate.server.api.Pages;
import io.surestate.statemachine.history.HistoryReader;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NodeEntry;
import java.util.List;
import java.util.stream.Stream;

/** Pages of allocations, of holds, and of what became of allocations. */
final class LedgerLists {
    /** Allocations looked at for one page of history; a device that few of them had gets short pages instead of long waits. */
    private static final int ALLOCATIONS_LOOKED_AT_MAX = 10_000;
    /** An allocation changes a handful of times; this is a bound, not an expectation. */
    private static final int CHANGES_MAX = 100;

    private final Pages pages;

    LedgerLists(Pages pages) {
        this.pages = pages;
    }

    /** Keys of pages are {@code node/allocation}. */
    ListAllocationsResponse allocations(AllocationFilter filter, Pages.Start start) {
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
                && (filter.getStatesCount() == 0 || filter.getStatesList().contains(allocation.getState()))
                && (filter.getJobUid().isEmpty()
                        || filter.getJobUid().equals(allocation.getTask().getJobUid()));
    }

    /** Keys of pages are ids of holds. */
    ListHoldsResponse holds(String tenant, Pages.Start start) {
        ListHoldsResponse.Builder reply =
                ListHoldsResponse.newBuilder().setRevision(start.view().revision());
        PageFill fill = new PageFill(start);
        String last = "";
        for (Hold hold : start.view().state().holdsAfter(start.afterKey())) {
            if (!tenant.isEmpty() && !tenant.equals(hold.getTenant())) {
                continue;
            }
            if (fill.full()) {
                return reply.setPage(PageInfo.newBuilder().setNextPageToken(pages.next(start, last)))
                        .build();
            }
            reply.addHolds(hold);
            fill.add(hold);
            last = hold.getId();
        }
        return reply.build();
    }

    /** Keys of pages are ids of allocations: all changes of one allocation stand on one page. */
    ListHistoryResponse history(ListHistoryRequest request, Pages.Start start) {
        ListHistoryResponse.Builder reply =
                ListHistoryResponse.newBuilder().setRevision(start.view().revision());
        HistoryReader history = start.view().history();
        PageFill fill = new PageFill(start);
        String last = start.afterKey();
        int looked = 0;
        List<String> ids = allocations(request, history, last, start.size());
        while (!ids.isEmpty()) {
            for (String id : ids) {
                if (fill.full() || looked++ >= ALLOCATIONS_LOOKED_AT_MAX) {
                    return reply.setPage(PageInfo.newBuilder().setNextPageToken(pages.next(start, last)))
                            .build();
                }
                List<Allocation> changes = history.changesOf(id, CHANGES_MAX);
                if (meant(request, changes)) {
                    reply.addAllChanges(changes);
                    changes.forEach(fill::add);
                }
                last = id;
            }
            ids = allocations(request, history, last, start.size());
        }
        return reply.build();
    }

    private static List<String> allocations(
            ListHistoryRequest request, HistoryReader history, String after, int limit) {
        return switch (request.getSubjectCase()) {
            case ALLOCATION -> after.isEmpty() ? List.of(request.getAllocation()) : List.of();
            case DEVICE -> history.allocationsOfNode(request.getDevice().getNode(), after, limit);
            case NODE -> history.allocationsOfNode(request.getNode(), after, limit);
            case JOB_UID -> history.allocationsOfJob(request.getJobUid(), after, limit);
            case SUBJECT_NOT_SET -> List.of();
        };
    }

    private static boolean meant(ListHistoryRequest request, List<Allocation> changes) {
        return !request.hasDevice()
                || changes.stream()
                        .flatMap(change -> change.getClaim().getDevicesList().stream())
                        .map(DeviceShare::getOrdinal)
                        .anyMatch(ordinal -> ordinal == request.getDevice().getOrdinal());
    }
}
