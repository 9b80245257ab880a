package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.MethodDescriptor;
import io.surestate.api.v1.AcknowledgeOutcomesRequest;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.CommitPlanRequest;
import io.surestate.api.v1.CommitPlanResponse;
import io.surestate.api.v1.ConfirmHoldRequest;
import io.surestate.api.v1.DeviceRef;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.FenceNodeRequest;
import io.surestate.api.v1.FreezeRequest;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.GetOutcomeRequest;
import io.surestate.api.v1.GetOutcomeResponse;
import io.surestate.api.v1.HoldPlanRequest;
import io.surestate.api.v1.HoldPlanResponse;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListAllocationsRequest;
import io.surestate.api.v1.ListHistoryRequest;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.PageRequest;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.ReleaseAllocationsRequest;
import io.surestate.api.v1.RequestHeader;
import io.surestate.api.v1.RequestState;
import io.surestate.api.v1.RequestsGrpc;
import io.surestate.client.SurestateException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ledger as a client in another process meets it. */
class LedgerWireTest {
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final long HOUR_MILLIS = 3_600_000;

    @TempDir
    private Path folder;

    private ProcessCluster cluster;
    private Api api;
    private Node node;

    @BeforeEach
    void start() {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        cluster = ProcessCluster.start(layout);
        api = Api.of(layout);
        cluster.startFakeNodes("fake", "1x8");
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptions()
                .until(() -> api.nodes().getNodes(0).getStatus().getState() == NodeState.NODE_STATE_READY);
        node = api.nodes().getNodes(0);
    }

    @AfterEach
    void stop() {
        api.close();
        cluster.close();
    }

    private <Q, R> R call(MethodDescriptor<Q, R> method, Q request) {
        return api.client().call(method, request, CALL);
    }

    private <Q, R> void refused(MethodDescriptor<Q, R> method, Q request, ErrorCode code, String part) {
        SurestateException refused = catchThrowableOfType(SurestateException.class, () -> call(method, request));
        assertThat(refused).as("%s %s", method.getFullMethodName(), part).isNotNull();
        assertThat(refused.code()).isEqualTo(code);
        assertThat(refused.getMessage()).contains(part);
    }

    private static RequestHeader header(String id) {
        return RequestHeader.newBuilder().setRequestId(id).build();
    }

    private Plan plan(String name, int device) {
        return Plan.newBuilder()
                .setScheduler("mine")
                .addGangs(GangPlacement.newBuilder()
                        .setName(name)
                        .addPlacements(Placement.newBuilder()
                                .setNode(node.getName())
                                .setNodeEpoch(node.getStatus().getEpoch())
                                .setClaim(Claim.newBuilder()
                                        .addDevices(DeviceShare.newBuilder()
                                                .setOrdinal(device)
                                                .setMilli(1_000)))))
                .build();
    }

    private CommitPlanResponse commit(String id, String name, int device) {
        return call(
                LedgerGrpc.getCommitPlanMethod(),
                CommitPlanRequest.newBuilder()
                        .setHeader(header(id))
                        .setPlan(plan(name, device))
                        .build());
    }

    private GetOutcomeResponse outcome(String id, boolean seal) {
        return call(
                RequestsGrpc.getGetOutcomeMethod(),
                GetOutcomeRequest.newBuilder().setRequestId(id).setSeal(seal).build());
    }

    @Test
    void aRepeatedPlanGetsTheSameAllocations() {
        CommitPlanResponse first = commit("r1", "a", 0);
        assertThat(first.getCommitted()).isTrue();
        assertThat(commit("r1", "a", 0)).isEqualTo(first);
        List<Allocation> live = call(LedgerGrpc.getListAllocationsMethod(), ListAllocationsRequest.getDefaultInstance())
                .getAllocationsList();
        assertThat(live).singleElement().satisfies(allocation -> {
            assertThat(allocation.getId())
                    .isEqualTo(first.getGangs(0).getAllocations(0).getId());
            assertThat(allocation.getEpoch()).isEqualTo(first.getRevision());
        });
    }

    @Test
    void aPlanThatIsOnlyValidatedChangesNothing() {
        CommitPlanRequest.Builder request = CommitPlanRequest.newBuilder()
                .setHeader(header("v1").toBuilder().setValidateOnly(true))
                .setPlan(plan("a", 0));
        CommitPlanResponse answer = call(LedgerGrpc.getCommitPlanMethod(), request.build());
        assertThat(answer.getCommitted()).isTrue();
        assertThat(answer.getRevision()).isZero();
        assertThat(outcome("v1", false).getState()).isEqualTo(RequestState.REQUEST_STATE_UNKNOWN);
        commit("r1", "b", 0);
        assertThat(call(LedgerGrpc.getCommitPlanMethod(), request.build()).getConflictsCount())
                .isEqualTo(1);
    }

    @Test
    void whatBecameOfARequestCanBeAskedSealedAndAcknowledged() {
        assertThat(outcome("r1", false).getState()).isEqualTo(RequestState.REQUEST_STATE_UNKNOWN);
        assertThat(outcome("r2", true).getState()).isEqualTo(RequestState.REQUEST_STATE_SEALED);
        CommitPlanRequest late = CommitPlanRequest.newBuilder()
                .setHeader(header("r2"))
                .setPlan(plan("late", 1))
                .build();
        refused(LedgerGrpc.getCommitPlanMethod(), late, ErrorCode.ERROR_CODE_REQUEST_SEALED, "r2");
        CommitPlanResponse done = commit("r1", "a", 0);
        GetOutcomeResponse told = outcome("r1", true);
        assertThat(told.getState()).isEqualTo(RequestState.REQUEST_STATE_DONE);
        assertThat(told.getRevision()).isEqualTo(done.getRevision());
        assertThat(told.getPlan().getCommittedCount()).isEqualTo(1);
        call(
                RequestsGrpc.getAcknowledgeOutcomesMethod(),
                AcknowledgeOutcomesRequest.newBuilder().addRequestIds("r1").build());
        assertThat(outcome("r1", false).getState()).isEqualTo(RequestState.REQUEST_STATE_ACKNOWLEDGED);
        refused(
                LedgerGrpc.getCommitPlanMethod(),
                CommitPlanRequest.newBuilder()
                        .setHeader(header("r1"))
                        .setPlan(plan("a", 0))
                        .build(),
                ErrorCode.ERROR_CODE_REQUEST_ACKNOWLEDGED,
                "took effect at revision " + done.getRevision());
    }

    @Test
    void historyTellsWhichEntryDidWhat() {
        CommitPlanResponse first = commit("r1", "a", 3);
        release("a");
        commit("r2", "b", 3);
        commit("r3", "c", 4);
        List<Allocation> told = new ArrayList<>();
        ListHistoryRequest.Builder request = ListHistoryRequest.newBuilder()
                .setDevice(DeviceRef.newBuilder().setNode(node.getName()).setOrdinal(3))
                .setPage(PageRequest.newBuilder().setSize(1));
        boolean more = true;
        while (more) {
            var page = call(LedgerGrpc.getListHistoryMethod(), request.build());
            told.addAll(page.getChangesList());
            more = !page.getPage().getNextPageToken().isEmpty();
            request.getPageBuilder().setToken(page.getPage().getNextPageToken());
        }
        assertThat(told).extracting(Allocation::getName).containsExactly("a", "a", "b");
        assertThat(told)
                .extracting(Allocation::getState)
                .containsExactly(
                        AllocationState.ALLOCATION_STATE_BOUND,
                        AllocationState.ALLOCATION_STATE_RELEASED,
                        AllocationState.ALLOCATION_STATE_BOUND);
        assertThat(told.get(0).getRevision()).isEqualTo(first.getRevision());
        assertThat(told.get(1).getEpoch()).isEqualTo(first.getRevision());
        assertThat(told.get(0).getScheduler()).isEqualTo("mine");
    }

    private void release(String name) {
        call(
                LedgerGrpc.getReleaseAllocationsMethod(),
                ReleaseAllocationsRequest.newBuilder().setName(name).build());
    }

    @Test
    void badInputIsRefusedByItsName() {
        for (long ttl : new long[] {0, -1, Long.MAX_VALUE}) {
            refused(
                    LedgerGrpc.getHoldPlanMethod(),
                    HoldPlanRequest.newBuilder()
                            .setPlan(plan("a", 0))
                            .setTtlMillis(ttl)
                            .build(),
                    ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                    "ttl: " + ttl);
        }
        refused(
                LedgerGrpc.getConfirmHoldMethod(),
                ConfirmHoldRequest.newBuilder().setHold("never").build(),
                ErrorCode.ERROR_CODE_NOT_FOUND,
                "never");
        refused(
                LedgerGrpc.getCommitPlanMethod(),
                CommitPlanRequest.newBuilder()
                        .setPlan(plan("a", 0).toBuilder().setSeenRevision(Long.MAX_VALUE))
                        .build(),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "seenRevision");
        refused(
                LedgerGrpc.getReleaseAllocationsMethod(),
                ReleaseAllocationsRequest.getDefaultInstance(),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "either a name or allocations");
        refused(
                LedgerGrpc.getListHistoryMethod(),
                ListHistoryRequest.getDefaultInstance(),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "subject");
        refused(
                NodesGrpc.getFenceNodeMethod(),
                FenceNodeRequest.newBuilder().setName(node.getName()).build(),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "poweredOff");
        refused(
                NodesGrpc.getFenceNodeMethod(),
                FenceNodeRequest.newBuilder()
                        .setName(node.getName())
                        .setPoweredOff(true)
                        .build(),
                ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                "its agent answers");
        refused(
                ClusterGrpc.getFreezeMethod(),
                FreezeRequest.newBuilder().setForMillis(25 * HOUR_MILLIS).build(),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "for: 90000000");
        assertThat(call(LedgerGrpc.getListAllocationsMethod(), ListAllocationsRequest.getDefaultInstance())
                        .getAllocationsCount())
                .isZero();
    }

    @Test
    void aHoldIsConfirmedOnce() {
        HoldPlanResponse held = call(
                LedgerGrpc.getHoldPlanMethod(),
                HoldPlanRequest.newBuilder()
                        .setPlan(plan("a", 0))
                        .setTtlMillis(HOUR_MILLIS)
                        .build());
        ConfirmHoldRequest confirm =
                ConfirmHoldRequest.newBuilder().setHold(held.getHold().getId()).build();
        assertThat(call(LedgerGrpc.getConfirmHoldMethod(), confirm).getConflictsList())
                .isEmpty();
        refused(LedgerGrpc.getConfirmHoldMethod(), confirm, ErrorCode.ERROR_CODE_HOLD_OVER, "was CONFIRMED at cluster");
    }
}
