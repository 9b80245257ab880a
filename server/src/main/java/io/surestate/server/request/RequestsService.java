package io.surestate.server.request;

import io.grpc.stub.StreamObserver;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.AcknowledgeOutcomesRequest;
import io.surestate.api.v1.AcknowledgeOutcomesResponse;
import io.surestate.api.v1.GetOutcomeRequest;
import io.surestate.api.v1.GetOutcomeResponse;
import io.surestate.api.v1.ReadOptions;
import io.surestate.api.v1.RequestState;
import io.surestate.api.v1.RequestsGrpc;
import io.surestate.log.v1.AcknowledgeRequests;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.RequestOutcome;
import io.surestate.log.v1.SealRequest;
import io.surestate.server.api.ApiContext;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.LeaderCalls;
import io.surestate.server.api.Problems;
import io.surestate.server.api.Reads;
import io.surestate.server.api.Refused;
import io.surestate.server.api.Replies;
import io.surestate.server.commit.GroupCommit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Tells what became of requests, and settles it. The leader answers: only it knows what is in flight. */
public final class RequestsService extends RequestsGrpc.RequestsImplBase {
    private final GroupCommit commit;
    private final Reads reads;
    private final LeaderCalls leader;
    private final Authorizer authorizer;

    public RequestsService(GroupCommit commit, ApiContext api) {
        this.commit = commit;
        this.reads = api.reads();
        this.leader = api.leader();
        this.authorizer = api.authorizer();
    }

    @Override
    public void getOutcome(GetOutcomeRequest request, StreamObserver<GetOutcomeResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(
                    request.getTenant(), request.getSeal() ? Authorizer.Action.SETTLE_REQUEST : Authorizer.Action.READ);
            Problems.require(Names.requestIdProblem("requestId", request.getRequestId()));
            if (!leader.leading()) {
                return leader.unary(RequestsGrpc.getGetOutcomeMethod(), request);
            }
            return request.getSeal() ? seal(tenant, request.getRequestId()) : look(tenant, request.getRequestId());
        });
    }

    /** In flight is asked first: what was decided meanwhile is found in the state then. */
    private CompletableFuture<GetOutcomeResponse> look(String tenant, String id) {
        RequestKey key = Mutations.key(tenant, id);
        boolean inFlight = commit.inFlight(key);
        return reads.view(ReadOptions.getDefaultInstance()).thenApply(view -> {
            Optional<RequestOutcome> known = view.state().outcome(key);
            return known.map(RequestsService::told)
                    .orElseGet(() -> GetOutcomeResponse.newBuilder()
                            .setRequestId(id)
                            .setState(
                                    inFlight
                                            ? RequestState.REQUEST_STATE_IN_FLIGHT
                                            : RequestState.REQUEST_STATE_UNKNOWN)
                            .setRevision(view.revision())
                            .build());
        });
    }

    /** What is in flight stands before the seal in the log, so its outcome is the answer. */
    private CompletableFuture<GetOutcomeResponse> seal(String tenant, String id) {
        Envelope command = envelope(tenant)
                .setSealRequest(SealRequest.newBuilder().setRequestId(id))
                .build();
        return commit.submit(command).thenApply(done -> {
            if (done.outcome().hasRejected()) {
                throw refused(done.outcome());
            }
            return told(done.outcome().getRequest());
        });
    }

    @Override
    public void acknowledgeOutcomes(
            AcknowledgeOutcomesRequest request, StreamObserver<AcknowledgeOutcomesResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getTenant(), Authorizer.Action.SETTLE_REQUEST);
            Problems.range("requestIds", request.getRequestIdsCount(), 1, Limits.ACKNOWLEDGED_PER_MESSAGE_MAX);
            for (String id : request.getRequestIdsList()) {
                Problems.require(Names.requestIdProblem("requestIds", id));
            }
            if (!leader.leading()) {
                return leader.unary(RequestsGrpc.getAcknowledgeOutcomesMethod(), request);
            }
            Envelope command = envelope(tenant)
                    .setAcknowledgeRequests(
                            AcknowledgeRequests.newBuilder().addAllRequestIds(request.getRequestIdsList()))
                    .build();
            return commit.submit(command)
                    .thenApply(done -> AcknowledgeOutcomesResponse.newBuilder()
                            .setRevision(done.revision())
                            .build());
        });
    }

    private static Envelope.Builder envelope(String tenant) {
        return Envelope.newBuilder().setTenant(tenant).setPrincipal(Authorizer.ANONYMOUS);
    }

    private static Refused refused(Outcome outcome) {
        return Refused.of(outcome.getRejected().getCode(), outcome.getRejected().getMessage());
    }

    private static GetOutcomeResponse told(RequestOutcome known) {
        GetOutcomeResponse.Builder reply = GetOutcomeResponse.newBuilder()
                .setRequestId(known.getKey().getRequestId())
                .setRevision(known.getRevision())
                .setExpiresMillis(known.getExpiresMillis());
        if (known.getSealed()) {
            return reply.setState(RequestState.REQUEST_STATE_SEALED).build();
        }
        if (known.getAcknowledged()) {
            return reply.setState(RequestState.REQUEST_STATE_ACKNOWLEDGED).build();
        }
        reply.setState(RequestState.REQUEST_STATE_DONE);
        Outcome outcome = known.getOutcome();
        return (switch (outcome.getResultCase()) {
                    case REJECTED -> reply.setError(refused(outcome).detail());
                    case JOB -> reply.setJob(outcome.getJob());
                    case PLAN -> reply.setPlan(outcome.getPlan());
                    case NODE -> reply.setNode(outcome.getNode());
                    case HOLD -> reply.setHold(outcome.getHold());
                    default -> reply.setAccepted(true);
                })
                .build();
    }
}
