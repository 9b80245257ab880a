package io.surestate.server.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodeStatus;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LoseNode;
import io.surestate.log.v1.SuspectNode;
import io.surestate.server.apply.Views;
import io.surestate.server.commit.ClusterClock;
import io.surestate.server.leader.LeaderDuty;
import io.surestate.server.leader.LeaderEnvironment;
import io.surestate.server.leader.Proposals;
import io.surestate.statemachine.node.Leases;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Suspects nodes that miss heartbeats and gives up those that stay suspected for lease and margin of cluster time. A new leader gives
 * every node the time of one silence; when this loop itself was held up, or a great part of the nodes falls silent at once, it doubts
 * itself first and waits as long again. Leader loop only.
 */
public final class NodeLiveness implements LeaderDuty {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLiveness.class);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int MASS_SILENCE_NODES_MIN = 10;
    private static final int MASS_SILENCE_DIVISOR = 5;

    private final Views views;
    private final ClusterClock clock;
    private final Proposals proposals;
    private final AgentHub hub;
    private final LongSupplier monotonicNanos;
    /** Nodes about which a command is on its way. */
    private final Set<String> inFlight = new HashSet<>();

    private long graceUntilNanos;
    private long lastPollNanos;
    private boolean doubted;

    public NodeLiveness(LeaderEnvironment at, AgentHub hub) {
        this.views = at.views();
        this.clock = at.clock();
        this.proposals = at.proposals();
        this.monotonicNanos = at.monotonicNanos();
        this.hub = hub;
    }

    @Override
    public void begin(long term) {
        inFlight.clear();
        lastPollNanos = monotonicNanos.getAsLong();
        graceUntilNanos = lastPollNanos + hub.silenceNanos();
        doubted = false;
    }

    @Override
    public void end() {
        inFlight.clear();
    }

    @Override
    public void poll() {
        if (!views.newest().state().initialised()) {
            return;
        }
        long now = monotonicNanos.getAsLong();
        long heartbeatNanos = hub.settings().getHeartbeatMillis() * NANOS_PER_MILLI;
        if (now - lastPollNanos < heartbeatNanos / 4) {
            return;
        }
        if (now - lastPollNanos > heartbeatNanos) {
            LOG.warn(
                    "action=doubt-self reason=\"leader loop held up\" millis={}",
                    (now - lastPollNanos) / NANOS_PER_MILLI);
            graceUntilNanos = now + hub.silenceNanos();
        }
        lastPollNanos = now;
        List<Node> silent = new ArrayList<>();
        int withAgents = 0;
        for (NodeEntry entry : views.newest().state().nodes()) {
            NodeStatus status = entry.node().getStatus();
            withAgents += status.getState() == NodeState.NODE_STATE_PLANNED ? 0 : 1;
            if (status.getState() == NodeState.NODE_STATE_SUSPECTED) {
                loseIfDue(entry.node());
            } else if (status.getState() == NodeState.NODE_STATE_READY
                    && hub.silentNanos(entry.node().getName()) > hub.silenceNanos()) {
                silent.add(entry.node());
            }
        }
        suspect(silent, withAgents, now);
    }

    private void suspect(List<Node> silent, int nodes, long now) {
        if (now < graceUntilNanos) {
            return;
        }
        if (silent.size() > Math.max(MASS_SILENCE_NODES_MIN, nodes / MASS_SILENCE_DIVISOR) && !doubted) {
            LOG.warn("action=doubt-self reason=\"many nodes silent at once\" silent={} nodes={}", silent.size(), nodes);
            doubted = true;
            graceUntilNanos = now + hub.silenceNanos();
            return;
        }
        if (silent.isEmpty()) {
            doubted = false;
        }
        silent.forEach(this::suspect);
    }

    private void suspect(Node node) {
        if (!inFlight.add(node.getName())) {
            return;
        }
        hub.suspicionProposed(node.getName());
        String reason = "no heartbeat for " + hub.silenceNanos() / NANOS_PER_MILLI + " ms";
        LOG.info("action=suspect-node node={} reason=\"{}\"", node.getName(), reason);
        Envelope.Builder command = Envelope.newBuilder()
                .setSuspectNode(SuspectNode.newBuilder()
                        .setNode(node.getName())
                        .setEpoch(node.getStatus().getEpoch())
                        .setReason(reason));
        proposals.propose(command, (outcome, failure) -> {
            inFlight.remove(node.getName());
            hub.suspicionDecided(node.getName());
        });
    }

    private void loseIfDue(Node node) {
        long deadline = Leases.lossDueMillis(views.newest().state().meta(), node.getStatus());
        if (clock.millis() < deadline || !inFlight.add(node.getName())) {
            return;
        }
        LOG.warn("action=lose-node node={} silent-heartbeats={}", node.getName(), Limits.HEARTBEATS_MISSED_MAX);
        Envelope.Builder command = Envelope.newBuilder()
                .setLoseNode(LoseNode.newBuilder()
                        .setNode(node.getName())
                        .setEpoch(node.getStatus().getEpoch()));
        proposals.propose(command, (outcome, failure) -> inFlight.remove(node.getName()));
    }
}
