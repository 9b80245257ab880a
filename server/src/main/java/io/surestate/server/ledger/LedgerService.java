package io.surestate.server.ledger;

import io.grpc.stub.StreamObserver;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.CommitPlanRequest;
import io.surestate.api.v1.CommitPlanResponse;
import io.surestate.api.v1.ConfirmHoldRequest;
import io.surestate.api.v1.ConfirmHoldResponse;
import io.surestate.api.v1.HoldPlanRequest;
import io.surestate.api.v1.HoldPlanResponse;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.ListAllocationsRequest;
import io.surestate.api.v1.ListAllocationsResponse;
import io.surestate.api.v1.ListHistoryRequest;
import io.surestate.api.v1.ListHistoryResponse;
import io.surestate.api.v1.ListHoldsRequest;
import io.surestate.api.v1.ListHoldsResponse;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.ReleaseAllocationsRequest;
import io.surestate.api.v1.ReleaseAllocationsResponse;
import io.surestate.api.v1.ReleaseHoldRequest;
import io.surestate.api.v1.ReleaseHoldResponse;
import io.surestate.log.v1.CommitPlan;
import io.surestate.log.v1.ConfirmHold;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.HoldPlan;
import io.surestate.log.v1.ReleaseAllocations;
import io.surestate.log.v1.ReleaseHold;
import io.surestate.server.api.ApiContext;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.Authorizer.Action;
import io.surestate.server.api.Pages;
import io.surestate.server.api.Problems;
import io.surestate.server.api.Replies;
import io.surestate.server.request.Mutations;

/** The ledger on the wire: plans of any scheduler, holds, releases, and what became of allocations. */
public final class LedgerService extends LedgerGrpc.LedgerImplBase {
    private final Mutations mutations;
    private final Pages pages;
    private final Authorizer authorizer;
    private final LedgerLists lists;

    public LedgerService(Mutations mutations, ApiContext api) {
        this.mutations = mutations;
        this.pages = api.pages();
        this.authorizer = api.authorizer();
        this.lists = new LedgerLists(pages);
    }

    @Override
    public void commitPlan(CommitPlanRequest request, StreamObserver<CommitPlanResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Action.COMMIT_PLAN);
            Plan plan = PlanAdmission.admit(request.getPlan());
            return mutations.submit(new Mutations.Ask<>(
                    LedgerGrpc.getCommitPlanMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder().setCommitPlan(CommitPlan.newBuilder().setPlan(plan)),
                    done -> PlanReplies.committed(plan, done)));
        });
    }

    @Override
    public void holdPlan(HoldPlanRequest request, StreamObserver<HoldPlanResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Action.COMMIT_PLAN);
            Problems.duration("ttl", request.getTtlMillis(), Limits.HOLD_TTL_MILLIS_MIN, Limits.HOLD_TTL_MILLIS_MAX);
            Plan plan = PlanAdmission.admit(request.getPlan());
            return mutations.submit(new Mutations.Ask<>(
                    LedgerGrpc.getHoldPlanMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setHoldPlan(HoldPlan.newBuilder().setPlan(plan).setTtlMillis(request.getTtlMillis())),
                    done -> PlanReplies.held(plan, done)));
        });
    }

    @Override
    public void confirmHold(ConfirmHoldRequest request, StreamObserver<ConfirmHoldResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Action.COMMIT_PLAN);
            return mutations.submit(new Mutations.Ask<>(
                    LedgerGrpc.getConfirmHoldMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setConfirmHold(ConfirmHold.newBuilder().setHold(id("hold", request.getHold()))),
                    PlanReplies::confirmed));
        });
    }

    @Override
    public void releaseHold(ReleaseHoldRequest request, StreamObserver<ReleaseHoldResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Action.RELEASE);
            return mutations.submit(new Mutations.Ask<>(
                    LedgerGrpc.getReleaseHoldMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setReleaseHold(ReleaseHold.newBuilder().setHold(id("hold", request.getHold()))),
                    done -> ReleaseHoldResponse.newBuilder()
                            .setRevision(done.revision())
                            .setHold(done.outcome().getHold())
                            .build()));
        });
    }

    @Override
    public void releaseAllocations(
            ReleaseAllocationsRequest request, StreamObserver<ReleaseAllocationsResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Action.RELEASE);
            checkRelease(request);
            return mutations.submit(new Mutations.Ask<>(
                    LedgerGrpc.getReleaseAllocationsMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setReleaseAllocations(ReleaseAllocations.newBuilder()
                                    .setName(request.getName())
                                    .addAllAllocations(request.getAllocationsList())),
                    done -> ReleaseAllocationsResponse.newBuilder()
                            .setRevision(done.revision())
                            .setReleased(done.outcome().getReleased().getCount())
                            .build()));
        });
    }

    private static void checkRelease(ReleaseAllocationsRequest request) {
        boolean named = !request.getName().isEmpty();
        if (named == request.getAllocationsCount() > 0) {
            throw Problems.invalid("name: " + (named ? "set beside allocations" : "empty, without allocations")
                    + " (expected: either a name or allocations)");
        }
        if (named) {
            Problems.require(Names.subdomainProblem("name", request.getName()));
        }
        Problems.range("allocations", request.getAllocationsCount(), 0, Limits.PLACEMENTS_PER_PLAN_MAX);
        request.getAllocationsList().forEach(ref -> PlanAdmission.ref("allocations", ref));
    }

    @Override
    public void listAllocations(ListAllocationsRequest request, StreamObserver<ListAllocationsResponse> caller) {
        Replies.read(caller, () -> {
            authorizer.check(Authorizer.ANONYMOUS, request.getFilter().getTenant(), Action.READ);
            return pages.start(request.getRead(), request.getPage())
                    .thenApply(start -> lists.allocations(request.getFilter(), start));
        });
    }

    @Override
    public void listHolds(ListHoldsRequest request, StreamObserver<ListHoldsResponse> caller) {
        Replies.read(caller, () -> {
            authorizer.check(Authorizer.ANONYMOUS, request.getTenant(), Action.READ);
            return pages.start(request.getRead(), request.getPage())
                    .thenApply(start -> lists.holds(request.getTenant(), start));
        });
    }

    @Override
    public void listHistory(ListHistoryRequest request, StreamObserver<ListHistoryResponse> caller) {
        Replies.read(caller, () -> {
            authorizer.check(Authorizer.ANONYMOUS, "", Action.READ);
            if (request.getSubjectCase() == ListHistoryRequest.SubjectCase.SUBJECT_NOT_SET) {
                throw Problems.invalid("subject: empty (expected: allocation, device, node or jobUid)");
            }
            return pages.start(request.getRead(), request.getPage()).thenApply(start -> lists.history(request, start));
        });
    }

    private static String id(String field, String asked) {
        Problems.require(Names.requestIdProblem(field, asked));
        return asked;
    }
}
