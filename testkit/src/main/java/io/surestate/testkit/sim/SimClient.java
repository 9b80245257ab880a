package io.surestate.testkit.sim;

import com.google.protobuf.ByteString;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.log.v1.CancelJob;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.SubmitJob;
import io.surestate.server.ServerCore;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.Refused;
import io.surestate.server.api.Tenants;
import io.surestate.server.commit.CommandOutcome;
import io.surestate.server.job.JobAdmission;
import io.surestate.testkit.check.AppliedHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/**
 * A client that submits and cancels, and sends a request again under its id until it is answered: after a timeout, a refusal that allows
 * it, and sometimes for no reason. One thread.
 */
final class SimClient {
    private static final String NAME = "client";
    private static final long TIMEOUT_MILLIS = 3_000;
    private static final int BACKOFF_MILLIS_MAX = 400;
    private static final int SENT_TWICE_ONE_IN = 8;
    private static final int ASKED_AGAIN_ONE_IN = 3;
    private static final int ASKED_AGAIN_WITHIN_MILLIS = 60_000;
    private static final int EXPIRES_SOON_ONE_IN = 4;
    private static final int SOON_MILLIS_MAX = 15_000;
    private static final long EXPIRES_MILLIS = 4_000_000_000_000L;

    private final SimWorld world;
    private final List<Request> requests = new ArrayList<>();
    private String leader = "";

    /** One request, with its answer once there is one. */
    static final class Request {
        private final Envelope command;
        private Optional<CommandOutcome> answer = Optional.empty();
        private int sent;

        Request(Envelope command) {
            this.command = command;
        }

        Envelope command() {
            return command;
        }

        Optional<CommandOutcome> answer() {
            return answer;
        }
    }

    SimClient(SimWorld world) {
        this.world = world;
    }

    List<Request> requests() {
        return requests;
    }

    void submit(Job job) {
        String tenant = Tenants.DEFAULT;
        Job admitted = JobAdmission.admit(job, tenant, Authorizer.ANONYMOUS);
        ask(envelope().setSubmitJob(SubmitJob.newBuilder().setJob(admitted)).build());
    }

    void cancel(String uid) {
        ask(envelope()
                .setCancelJob(CancelJob.newBuilder().setTenant(Tenants.DEFAULT).setJob(uid))
                .build());
    }

    private Envelope.Builder envelope() {
        String id = "request-" + requests.size();
        String tenant = Tenants.DEFAULT;
        return Envelope.newBuilder()
                .setRequest(RequestKey.newBuilder()
                        .setTenant(tenant)
                        .setPrincipal(Authorizer.ANONYMOUS)
                        .setRequestId(id))
                .setFingerprint(ByteString.copyFromUtf8(id))
                .setExpiresMillis(expiresMillis())
                .setTenant(tenant)
                .setPrincipal(Authorizer.ANONYMOUS);
    }

    /** Counted from the cluster time in some reply. */
    private long expiresMillis() {
        long clusterMillis = world.invariants().history().clusterMillis();
        return clusterMillis == 0 || world.random().nextInt(EXPIRES_SOON_ONE_IN) > 0
                ? EXPIRES_MILLIS
                : clusterMillis + 1 + world.random().nextInt(SOON_MILLIS_MAX);
    }

    private void ask(Envelope command) {
        Request request = new Request(command);
        requests.add(request);
        send(request);
        if (world.random().nextInt(SENT_TWICE_ONE_IN) == 0) {
            send(request);
        }
    }

    private void send(Request request) {
        int attempt = ++request.sent;
        SimServer server = world.server(leader).orElseGet(() -> world.pick(world.servers()));
        world.network().send(NAME, server.id(), () -> serve(server, request, attempt), () -> {});
        world.events().after(TIMEOUT_MILLIS, "", () -> again(request, attempt));
    }

    /** Sends it again unless it was answered or sent again meanwhile. */
    private void again(Request request, int attempt) {
        if (request.answer.isEmpty() && request.sent == attempt) {
            leader = "";
            send(request);
        }
    }

    private void serve(SimServer server, Request request, int attempt) {
        Optional<ServerCore> core = server.core();
        if (core.isEmpty()) {
            return;
        }
        if (!core.get().log().leadership().leading()) {
            String hint = core.get().log().leadership().leaderId().orElse("");
            reply(server, () -> refused(request, attempt, server.notLeader(hint)));
            return;
        }
        int life = server.life();
        core.get().commit().submit(request.command).whenComplete((outcome, failure) -> {
            if (server.life() == life && server.runs()) {
                reply(server, () -> replied(request, attempt, server, outcome, failure));
            }
        });
    }

    private void reply(SimServer server, Runnable arrival) {
        world.network().send(server.id(), NAME, arrival, () -> {});
    }

    private void replied(Request request, int attempt, SimServer server, CommandOutcome outcome, Throwable failure) {
        if (failure == null) {
            leader = server.id();
            answered(request, outcome);
            return;
        }
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        if (cause instanceof Refused refused) {
            refused(request, attempt, refused);
        } else {
            world.invariants().broken("a request was answered by a defect", cause);
        }
    }

    private void refused(Request request, int attempt, Refused refusal) {
        ErrorCode code = refusal.detail().getCode();
        if (code == ErrorCode.ERROR_CODE_NOT_LEADER || code == ErrorCode.ERROR_CODE_UNAVAILABLE) {
            leader = refusal.detail().getLeaderHint();
            world.events().after(1 + world.random().nextInt(BACKOFF_MILLIS_MAX), "", () -> {
                if (request.answer.isEmpty() && request.sent == attempt) {
                    send(request);
                }
            });
        } else {
            world.invariants().broken("request refused: " + refusal.detail(), refusal);
        }
    }

    private void answered(Request request, CommandOutcome outcome) {
        if (request.answer.isPresent()) {
            world.invariants().answeredAgain(request.command, request.answer.get(), outcome);
            return;
        }
        request.answer = Optional.of(outcome);
        if (AppliedHistory.expired(outcome.outcome())) {
            world.events().count("request-expired");
        }
        world.events().note("answered " + request.command.getRequest().getRequestId() + " at " + outcome.revision());
        world.invariants().answered(request.command, outcome);
        if (world.random().nextInt(ASKED_AGAIN_ONE_IN) == 0) {
            world.events().after(world.random().nextInt(ASKED_AGAIN_WITHIN_MILLIS), "", () -> send(request));
        }
    }
}
