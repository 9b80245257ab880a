package io.surestate.server.request;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.ReadOptions;
import io.surestate.api.v1.RequestHeader;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestKey;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.LeaderCalls;
import io.surestate.server.api.Problems;
import io.surestate.server.api.Reads;
import io.surestate.server.api.Refused;
import io.surestate.server.commit.ClusterClock;
import io.surestate.server.commit.CommandOutcome;
import io.surestate.server.commit.GroupCommit;
import io.surestate.statemachine.Core;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.decision.ApplyContext;
import io.surestate.statemachine.decision.Caller;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The one way of a client's mutation into the log: to the leader, under its request id, with a fingerprint of its body as the client sent
 * it, and back as an answer or a refusal. A request that is only to be validated is decided on the newest state and changes nothing.
 * Thread-safe.
 */
public final class Mutations {
    private static final int FINGERPRINT_BYTES = 16;
    private static final String HEADER = "header";

    private final GroupCommit commit;
    private final ClusterClock clock;
    private final LeaderCalls leader;
    private final Reads reads;
    private final Core dryRun = new Core((index, command, fault) -> {});

    public Mutations(GroupCommit commit, ClusterClock clock, LeaderCalls leader, Reads reads) {
        this.commit = commit;
        this.clock = clock;
        this.leader = leader;
        this.reads = reads;
    }

    /**
     * What a request is to do, once it is checked.
     *
     * @param refusal why a request that was not decided yet is not even proposed, given a state; empty = it is
     */
    public record Ask<Q extends Message, R>(
            MethodDescriptor<Q, R> method,
            Q request,
            String tenant,
            Envelope.Builder command,
            Function<StateView, Optional<Refused>> refusal,
            Function<CommandOutcome, R> reply) {
        /** One that is proposed in any state. */
        public Ask(
                MethodDescriptor<Q, R> method,
                Q request,
                String tenant,
                Envelope.Builder command,
                Function<CommandOutcome, R> reply) {
            this(method, request, tenant, command, state -> Optional.empty(), reply);
        }
    }

    /** Carries it out; fails with {@link Refused}. */
    public <Q extends Message, R> CompletableFuture<R> submit(Ask<Q, R> ask) {
        RequestHeader header = header(ask.request());
        Problems.require(Names.requestIdProblem("header.requestId", header.getRequestId()));
        if (!leader.leading()) {
            return leader.unary(ask.method(), ask.request());
        }
        Envelope.Builder command = ask.command().setTenant(ask.tenant()).setPrincipal(Authorizer.ANONYMOUS);
        return (header.getValidateOnly()
                        ? reads.view(ReadOptions.getDefaultInstance())
                                .thenApply(view -> validate(view, ask.refusal(), command.build()))
                        : propose(withIdentity(command, header, ask.request()), ask.refusal()))
                .thenApply(done -> ask.reply().apply(accepted(done)));
    }

    /** A request that was decided before is answered with that, whatever the state says now: so look twice before refusing it. */
    private CompletableFuture<CommandOutcome> propose(
            Envelope command, Function<StateView, Optional<Refused>> refusal) {
        if (refusal.apply(reads.newest()).isEmpty()) {
            return commit.submit(command);
        }
        boolean onItsWay = commit.inFlight(command.getRequest());
        return reads.view(ReadOptions.getDefaultInstance()).thenCompose(view -> {
            boolean known =
                    onItsWay || view.state().outcome(command.getRequest()).isPresent();
            Optional<Refused> refused = known ? Optional.empty() : refusal.apply(view);
            return refused.isPresent() ? CompletableFuture.failedFuture(refused.get()) : commit.submit(command);
        });
    }

    private CommandOutcome validate(StateView view, Function<StateView, Optional<Refused>> refusal, Envelope command) {
        refusal.apply(view).ifPresent(refused -> {
            throw refused;
        });
        ApplyContext next = new ApplyContext(view.revision() + 1, view.term(), clock.millis(), 0);
        return new CommandOutcome(0, dryRun.decide(view.state(), command, next).outcome());
    }

    private Envelope withIdentity(Envelope.Builder command, RequestHeader header, Message request) {
        long now = clock.millis();
        long expires =
                header.getExpiresMillis() == 0 ? now + Limits.REQUEST_TTL_MILLIS_DEFAULT : header.getExpiresMillis();
        Problems.range("header.expiresMillis (cluster time)", expires, 1, now + Limits.REQUEST_TTL_MILLIS_MAX);
        return command.setRequest(key(command.getTenant(), header.getRequestId()))
                .setFingerprint(fingerprint(request))
                .setExpiresMillis(expires)
                .build();
    }

    static RequestKey key(String tenant, String requestId) {
        return new Caller(tenant, Authorizer.ANONYMOUS).request(requestId);
    }

    private static CommandOutcome accepted(CommandOutcome done) {
        Outcome outcome = done.outcome();
        if (outcome.hasRejected()) {
            throw new Refused(Refused.detail(
                            outcome.getRejected().getCode(),
                            outcome.getRejected().getMessage())
                    .setRevision(done.revision())
                    .build());
        }
        return done;
    }

    private static RequestHeader header(Message request) {
        return (RequestHeader) request.getField(headerField(request));
    }

    private static FieldDescriptor headerField(Message request) {
        return request.getDescriptorForType().findFieldByName(HEADER);
    }

    /** Of the body as the client sent it, before any default is filled in. */
    private static ByteString fingerprint(Message request) {
        Message body = request.toBuilder().clearField(headerField(request)).build();
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(body.getDescriptorForType().getFullName().getBytes(StandardCharsets.UTF_8));
            return ByteString.copyFrom(sha256.digest(body.toByteArray()), 0, FINGERPRINT_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
