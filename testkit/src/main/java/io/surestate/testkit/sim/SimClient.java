package io.surestate.testkit.sim;

import com.google.protobuf.ByteString;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.log.v1.AcknowledgeRequests;
import io.surestate.log.v1.CancelJob;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.ResizeJob;
import io.surestate.log.v1.SealRequest;
import io.surestate.log.v1.SubmitJob;
import io.surestate.server.ServerCore;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.Refused;
import io.surestate.server.api.Tenants;
import io.surestate.server.commit.CommandOutcome;
import io.surestate.server.job.JobAdmission;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.testkit.check.AppliedHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * A client that sends a request again under its id until it is answered: after a timeout, a refusal that allows it, and sometimes for no
 * reason. Now and then it seals a request that is under way, and acknowledges what was answered. One thread.
 */
final class SimClient {
    private static final long TIMEOUT_MILLIS = 3_000;
    private static final int BACKOFF_MILLIS_MAX = 400;
    private static final int SENT_TWICE_ONE_IN = 8;
    private static final int ASKED_AGAIN_ONE_IN = 3;
    private static final int ASKED_AGAIN_WITHIN_MILLIS = 60_000;
    private static final int SEALED_ONE_IN = 12;
    private static final int SEALED_WITHIN_MILLIS = 1_500;
    private static final int ACKNOWLEDGED_ONE_IN = 6;
    private static final int ACKNOWLEDGED_WITHIN_MILLIS = 5_000;
    private static final int EXPIRES_SOON_ONE_IN = 4;
    private static final int SOON_MILLIS_MAX = 15_000;
    private static final long EXPIRES_MILLIS = 4_000_000_000_000L;

    private final String name;
    private final SimWorld world;
    private final List<Request> requests = new ArrayList<>();
    private String leader = "";

    /** One request, with its answer once there is one. */
    static final class Request {
        private final Envelope command;
        private final Consumer<Outcome> then;
        private Optional<CommandOutcome> answer = Optional.empty();
        private int sent;

        Request(Envelope command, Consumer<Outcome> then) {
            this.command = command;
            this.then = then;
        }

        Envelope command() {
            return command;
        }

        Optional<CommandOutcome> answer() {
            return answer;
        }
    }

    SimClient(String name, SimWorld world) {
        this.name = name;
        this.world = world;
    }

    List<Request> requests() {
        return requests;
    }

    void submit(Job job) {
        String tenant = Tenants.DEFAULT;
        Job admitted = JobAdmission.admit(job, tenant, Authorizer.ANONYMOUS);
        ask(Envelope.newBuilder().setSubmitJob(SubmitJob.newBuilder().setJob(admitted)), done -> {});
    }

    void cancel(String uid, boolean force) {
        ask(
                Envelope.newBuilder()
                        .setCancelJob(CancelJob.newBuilder()
                                .setTenant(Tenants.DEFAULT)
                                .setJob(uid)
                                .setForce(force)),
                done -> {});
    }

    void resize(String uid, int count) {
        ask(
                Envelope.newBuilder()
                        .setResizeJob(ResizeJob.newBuilder()
                                .setTenant(Tenants.DEFAULT)
                                .setJob(uid)
                                .setCount(count)),
                done -> {});
    }

    /** Asks for it under an id of its own; told of the first answer. */
    void ask(Envelope.Builder command, Consumer<Outcome> then) {
        Request request = ask(identified(command, expiresMillis()), then);
        if (world.random().nextInt(SEALED_ONE_IN) == 0) {
            world.events()
                    .after(world.random().nextInt(SEALED_WITHIN_MILLIS), "", () -> seal(request.command.getRequest()));
        }
    }

    /** As {@link #ask(Envelope.Builder, Consumer)}, for what must be decided however long it takes. */
    void insist(Envelope.Builder command, Consumer<Outcome> then) {
        ask(identified(command, EXPIRES_MILLIS), then);
    }

    /** Asks some server for what it has now, however old that is; there may be no answer. */
    void look(Consumer<ClusterState> then) {
        SimServer server = world.pick(world.servers());
        world.network()
                .send(
                        name,
                        server.id(),
                        () -> server.core().ifPresent(core -> {
                            ClusterState seen =
                                    core.applyLoop().views().newest().state();
                            reply(server, () -> then.accept(seen));
                        }),
                        () -> {});
    }

    private void seal(RequestKey key) {
        world.events().note("seal " + key.getRequestId());
        ask(
                anonymous(Envelope.newBuilder()
                        .setSealRequest(SealRequest.newBuilder().setRequestId(key.getRequestId()))),
                done -> {});
    }

    private void acknowledge(RequestKey key) {
        world.events().note("acknowledge " + key.getRequestId());
        ask(
                anonymous(Envelope.newBuilder()
                        .setAcknowledgeRequests(AcknowledgeRequests.newBuilder().addRequestIds(key.getRequestId()))),
                done -> {});
    }

    private static Envelope anonymous(Envelope.Builder command) {
        return command.setTenant(Tenants.DEFAULT)
                .setPrincipal(Authorizer.ANONYMOUS)
                .build();
    }

    private Envelope identified(Envelope.Builder command, long expiresMillis) {
        String id = name + "-" + requests.size();
        String tenant = Tenants.DEFAULT;
        return command.setRequest(RequestKey.newBuilder()
                        .setTenant(tenant)
                        .setPrincipal(Authorizer.ANONYMOUS)
                        .setRequestId(id))
                .setFingerprint(ByteString.copyFromUtf8(id))
                .setExpiresMillis(expiresMillis)
                .setTenant(tenant)
                .setPrincipal(Authorizer.ANONYMOUS)
                .build();
    }

    /** Counted from the cluster time in some reply. */
    private long expiresMillis() {
        long clusterMillis = world.invariants().history().clusterMillis();
        return clusterMillis == 0 || world.random().nextInt(EXPIRES_SOON_ONE_IN) > 0
                ? EXPIRES_MILLIS
                : clusterMillis + 1 + world.random().nextInt(SOON_MILLIS_MAX);
    }

    private Request ask(Envelope command, Consumer<Outcome> then) {
        Request request = new Request(command, then);
        requests.add(request);
        send(request);
        if (world.random().nextInt(SENT_TWICE_ONE_IN) == 0) {
            send(request);
        }
        return request;
    }

    private void send(Request request) {
        int attempt = ++request.sent;
        SimServer server = world.server(leader).orElseGet(() -> world.pick(world.servers()));
        world.network().send(name, server.id(), () -> serve(server, request, attempt), () -> {});
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
        world.network().send(server.id(), name, arrival, () -> {});
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
            if (request.command.hasRequest()) {
                world.invariants().answeredAgain(request.command, request.answer.get(), outcome);
            }
            return;
        }
        request.answer = Optional.of(outcome);
        if (AppliedHistory.expired(outcome.outcome())) {
            world.events().count("request-expired");
        }
        world.events().note("answered " + describe(request) + " at " + outcome.revision());
        world.invariants().answered(request.command, outcome);
        if (world.random().nextInt(ASKED_AGAIN_ONE_IN) == 0) {
            world.events().after(world.random().nextInt(ASKED_AGAIN_WITHIN_MILLIS), "", () -> send(request));
        }
        if (request.command.hasRequest() && world.random().nextInt(ACKNOWLEDGED_ONE_IN) == 0) {
            world.events()
                    .after(
                            world.random().nextInt(ACKNOWLEDGED_WITHIN_MILLIS),
                            "",
                            () -> acknowledge(request.command.getRequest()));
        }
        request.then.accept(outcome.outcome());
    }

    static String describe(Request request) {
        return request.command.getCommandCase() + " "
                + request.command.getRequest().getRequestId();
    }
}
