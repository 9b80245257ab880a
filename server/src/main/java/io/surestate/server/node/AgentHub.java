package io.surestate.server.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Heartbeat;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.OutputRequest;
import io.surestate.api.v1.ServerMessage;
import io.surestate.api.v1.Settings;
import io.surestate.api.v1.StatusReport;
import io.surestate.log.v1.ClearNode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.RegisterNode;
import io.surestate.log.v1.Rejected;
import io.surestate.log.v1.ReportTasks;
import io.surestate.server.api.Refused;
import io.surestate.server.apply.Views;
import io.surestate.server.commit.ClusterClock;
import io.surestate.server.commit.CommandOutcome;
import io.surestate.server.leader.LeaderDuty;
import io.surestate.server.leader.LeaderEnvironment;
import io.surestate.server.leader.Proposals;
import io.surestate.server.log.ReadIndexRounds;
import io.surestate.statemachine.node.Leases;
import io.surestate.statemachine.state.NodeEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The agents' side of the leader: registers those that say hello, renews leases, passes reports into the log and tells each agent what
 * its node should run. Everything happens on the leader loop. A lease is renewed only after a read-index round that began after the
 * heartbeat arrived, so that a leader that lost its quorum renews nothing.
 */
public final class AgentHub implements LeaderDuty {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Views views;
    private final ClusterClock clock;
    private final Proposals proposals;
    private final ReadIndexRounds readIndex;
    private final Executor loop;
    private final LongSupplier monotonicNanos;
    private final Supplier<Refused> notLeader;
    private final TouchedNodes touched;
    private final String self;
    private final Map<String, AgentSession> sessions = new HashMap<>();
    private final IdentityHashMap<AgentLink, AgentSession> byLink = new IdentityHashMap<>();
    /** When each node was last heard of in this term; outlives the stream. */
    private final Map<String, Long> heardNanos = new HashMap<>();
    /** Nodes about which a suspicion is on its way. */
    private final Set<String> suspicions = new HashSet<>();

    private final TelemetryBoard telemetry;

    private long beganNanos;
    private boolean leading;

    /**
     * @param notLeader what agents are told when this server does not lead
     * @param self this server's id
     */
    public AgentHub(LeaderEnvironment at, TouchedNodes touched, Supplier<Refused> notLeader, String self) {
        this.views = at.views();
        this.clock = at.clock();
        this.proposals = at.proposals();
        this.readIndex = at.readIndex();
        this.loop = at.loop();
        this.monotonicNanos = at.monotonicNanos();
        this.telemetry = new TelemetryBoard(monotonicNanos);
        this.touched = touched;
        this.notLeader = notLeader;
        this.self = self;
    }

    @Override
    public void begin(long term) {
        leading = true;
        beganNanos = monotonicNanos.getAsLong();
        touched.drain();
    }

    /** Tells agents whose node was touched what they should run now. */
    @Override
    public void poll() {
        Lineups lineups = new Lineups(views.newest().state());
        for (String node : touched.drain()) {
            AgentSession session = sessions.get(node);
            if (session != null) {
                session.desire(DesiredTasks.of(lineups, node));
            }
        }
    }

    @Override
    public void end() {
        leading = false;
        sessions.values().forEach(session -> session.link().refuse(notLeader.get()));
        sessions.clear();
        byLink.clear();
        heardNanos.clear();
        suspicions.clear();
        telemetry.forget();
    }

    /** From now on the node's lease is not renewed: the state will say so only once the suspicion is applied here. */
    void suspicionProposed(String node) {
        suspicions.add(node);
        Optional.ofNullable(sessions.get(node)).ifPresent(AgentSession::withholdLease);
    }

    void suspicionDecided(String node) {
        suspicions.remove(node);
    }

    /** First message of a stream. */
    public void hello(AgentLink link, Hello hello) {
        if (!leading) {
            link.refuse(notLeader.get());
            return;
        }
        try {
            NodeAdmission.check(hello);
        } catch (Refused refused) {
            link.refuse(refused);
            return;
        }
        AgentSession present = sessions.get(hello.getNodeName());
        if (present != null && !present.incarnation().equals(hello.getIncarnation()) && alive(present)) {
            link.refuse(Refused.of(
                    ErrorCode.ERROR_CODE_NODE_CONFLICT,
                    "node: " + hello.getNodeName() + " is held by another live agent (expected: one agent per node; "
                            + "give this one another nodeName and dataDir, or stop the other)"));
            return;
        }
        Envelope.Builder command =
                Envelope.newBuilder().setRegisterNode(RegisterNode.newBuilder().setHello(hello));
        proposals.propose(command, (outcome, failure) -> registered(link, hello, outcome, failure));
    }

    private boolean alive(AgentSession session) {
        return silentNanos(session.node()) < silenceNanos();
    }

    /** How the nodes are doing, as their agents say. */
    public TelemetryBoard telemetry() {
        return telemetry;
    }

    /** How long a node has been silent; nodes not heard of in this term since it began. */
    long silentNanos(String node) {
        return monotonicNanos.getAsLong() - heardNanos.getOrDefault(node, beganNanos);
    }

    private void heard(String node) {
        heardNanos.put(node, monotonicNanos.getAsLong());
    }

    /** How long a live agent may stay silent. */
    long silenceNanos() {
        return settings().getHeartbeatMillis() * Limits.HEARTBEATS_MISSED_MAX * NANOS_PER_MILLI;
    }

    Settings settings() {
        return views.newest().state().meta().getSettings();
    }

    private void registered(
            AgentLink link, Hello hello, @Nullable CommandOutcome committed, @Nullable Throwable failure) {
        if (committed == null) {
            link.refuse(Refused.of(ErrorCode.ERROR_CODE_UNAVAILABLE, "registration: not confirmed: " + failure));
            return;
        }
        if (committed.outcome().hasRejected()) {
            link.refuse(refused(committed));
            return;
        }
        AgentSession before = sessions.get(hello.getNodeName());
        if (before != null) {
            drop(before, Refused.of(ErrorCode.ERROR_CODE_STALE_EPOCH, "stream: replaced by a newer one"));
        }
        AgentSession session = new AgentSession(
                link, hello, committed.outcome().getNode().getStatus().getEpoch());
        sessions.put(session.node(), session);
        byLink.put(link, session);
        heard(session.node());
        if (suspicions.contains(session.node())) {
            session.withholdLease();
        }
        session.welcome(settings().getHeartbeatMillis(), self);
        session.desire(DesiredTasks.of(new Lineups(views.newest().state()), session.node()));
    }

    private void drop(AgentSession session, Refused reason) {
        sessions.remove(session.node(), session);
        byLink.remove(session.link());
        session.link().refuse(reason);
    }

    private static Refused refused(CommandOutcome committed) {
        Rejected rejected = committed.outcome().getRejected();
        return new Refused(Refused.detail(rejected.getCode(), rejected.getMessage())
                .setRevision(committed.revision())
                .build());
    }

    public void heartbeat(AgentLink link, Heartbeat heartbeat) {
        Optional<AgentSession> found = of(link);
        if (found.isEmpty()) {
            return;
        }
        AgentSession session = found.get();
        heard(session.node());
        if (heartbeat.hasTelemetry()) {
            try {
                NodeAdmission.check(heartbeat.getTelemetry());
            } catch (Refused refused) {
                drop(session, refused);
                return;
            }
            telemetry.heard(session.node(), heartbeat.getTelemetry());
        }
        long term = proposals.term();
        readIndex
                .next()
                .whenCompleteAsync(
                        (index, failure) -> {
                            if (failure == null
                                    && term == proposals.term()
                                    && sessions.get(session.node()) == session) {
                                renew(session, heartbeat.getSequence());
                            }
                        },
                        loop);
    }

    private void renew(AgentSession session, long sequence) {
        NodeState state = views.newest()
                .state()
                .node(session.node())
                .map(entry -> entry.node().getStatus().getState())
                .orElse(NodeState.NODE_STATE_LOST);
        if (state == NodeState.NODE_STATE_LOST) {
            drop(
                    session,
                    Refused.of(ErrorCode.ERROR_CODE_STALE_EPOCH, "node: given up meanwhile (expected: a new hello)"));
            return;
        }
        boolean withheld = session.leaseWithheld() || state == NodeState.NODE_STATE_SUSPECTED;
        session.acknowledgeHeartbeat(sequence, withheld ? 0 : leaseMillis());
        if (withheld && session.beginClearing()) {
            clear(session);
        }
    }

    private long leaseMillis() {
        return Leases.grantMillis(views.newest().state().meta(), clock.millis());
    }

    private void clear(AgentSession session) {
        Envelope.Builder command = Envelope.newBuilder()
                .setClearNode(ClearNode.newBuilder().setNode(session.node()).setEpoch(session.epoch()));
        proposals.propose(command, (outcome, failure) -> {
            boolean ready = views.newest()
                    .state()
                    .node(session.node())
                    .map(NodeEntry::ready)
                    .orElse(false);
            if (failure == null && ready) {
                session.allowLease();
            } else {
                session.clearingFailed();
            }
        });
    }

    public void report(AgentLink link, StatusReport report) {
        Optional<AgentSession> found = of(link);
        if (found.isEmpty()) {
            return;
        }
        AgentSession session = found.get();
        heard(session.node());
        try {
            NodeAdmission.check(report);
        } catch (Refused refused) {
            drop(session, refused);
            return;
        }
        Envelope.Builder command = Envelope.newBuilder()
                .setReportTasks(ReportTasks.newBuilder().setNode(session.node()).setReport(report));
        proposals.propose(command, (committed, failure) -> {
            if (committed == null) {
                return;
            }
            if (committed.outcome().hasRejected()) {
                drop(session, refused(committed));
            } else {
                session.acknowledgeReport(
                        report.getSequence(), committed.outcome().getReported().getStaleAllocationsList());
            }
        });
    }

    /** The stream ended; whether the node is silent is for time to tell. */
    public void closed(AgentLink link) {
        of(link).ifPresent(session -> {
            sessions.remove(session.node(), session);
            byLink.remove(link);
            telemetry.forget(session.node());
        });
    }

    /** Asks a node's agent for output; false if it is not connected. */
    boolean requestOutput(String node, OutputRequest request) {
        return tell(node, ServerMessage.newBuilder().setOutput(request).build());
    }

    /** Sends a node's agent a message; false if it is not connected. */
    boolean tell(String node, ServerMessage message) {
        AgentSession session = sessions.get(node);
        if (session == null) {
            return false;
        }
        session.link().send(message);
        return true;
    }

    private Optional<AgentSession> of(AgentLink link) {
        return Optional.ofNullable(byLink.get(link));
    }

    /** Runs on the leader loop. */
    void onLoop(Runnable work) {
        loop.execute(work);
    }
}
