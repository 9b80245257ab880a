package io.surestate.server;

import io.surestate.api.v1.Settings;
import io.surestate.scheduler.FirstFit;
import io.surestate.server.api.Refused;
import io.surestate.server.apply.ApplyListeners;
import io.surestate.server.apply.ApplyLoop;
import io.surestate.server.apply.Views;
import io.surestate.server.commit.ClusterClock;
import io.surestate.server.commit.GroupCommit;
import io.surestate.server.job.SchedulingLoop;
import io.surestate.server.leader.ClusterInit;
import io.surestate.server.leader.Deadlines;
import io.surestate.server.leader.LeaderDuties;
import io.surestate.server.leader.Proposals;
import io.surestate.server.log.LogConsumer;
import io.surestate.server.log.ReadIndexRounds;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.server.node.AgentHub;
import io.surestate.server.node.NodeLiveness;
import io.surestate.server.node.TouchedNodes;
import io.surestate.server.watch.WatchFeed;
import io.surestate.statemachine.StateEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Everything of a server between its log and its wire, put together without a thread of its own: whoever owns it drains the apply loop,
 * runs the leader loop and calls {@link #poll}. The process and the simulation use the same.
 */
public final class ServerCore {
    /** Handlers that this build applies and proposes with. */
    public static final int FEATURE_LEVEL = 1;

    /**
     * Where a core lives.
     *
     * @param self this server's id
     * @param clusterId identity written when the cluster is new; likewise historyId and settings
     * @param monotonicNanos a clock that only goes forward
     * @param leaderLoop runs one thing at a time, in order
     * @param engineOpener opens the state from a snapshot folder, or empty
     * @param applied sees every applied entry, beside the core's own parts
     * @param notLeader what agents are told by a server that does not lead
     * @param onFault told when this server cannot go on
     */
    public record Environment(
            String self,
            String clusterId,
            String historyId,
            Settings settings,
            LongSupplier monotonicNanos,
            Executor leaderLoop,
            Function<Optional<Path>, StateEngine> engineOpener,
            ApplyListeners applied,
            Function<ReplicatedLog, Refused> notLeader,
            Consumer<Throwable> onFault) {}

    private final ApplyLoop applyLoop;
    private final ClusterClock clock;
    private final WatchFeed watchFeed = new WatchFeed();
    private final ReplicatedLog log;
    private final ReadIndexRounds readIndex;
    private final GroupCommit commit;
    private final AgentHub agents;
    private final SchedulingLoop scheduling;
    private final LeaderDuties duties;

    /** {@code openLog} gets the consumer of the log and gives back the log, not started yet. */
    public ServerCore(Environment at, Function<LogConsumer, ReplicatedLog> openLog) {
        clock = new ClusterClock(at.monotonicNanos());
        TouchedNodes touched = new TouchedNodes();
        applyLoop = new ApplyLoop(
                at.engineOpener(), ApplyListeners.of(clock, watchFeed, touched, at.applied()), at.onFault());
        log = openLog.apply(applyLoop);
        readIndex = new ReadIndexRounds(log::readIndex);
        commit = new GroupCommit(log, clock, FEATURE_LEVEL);
        Views views = applyLoop.views();
        Proposals proposals = new Proposals(commit, at.leaderLoop());
        agents = new AgentHub(
                views,
                proposals,
                readIndex,
                at.leaderLoop(),
                at.monotonicNanos(),
                () -> at.notLeader().apply(log),
                touched,
                at.self());
        scheduling = new SchedulingLoop(views, clock, proposals, new FirstFit(SchedulingLoop.SCHEDULER));
        duties = new LeaderDuties(
                at.leaderLoop(),
                readIndex,
                views,
                List.of(
                        proposals.duty(),
                        new ClusterInit(views, proposals, at.clusterId(), at.historyId(), at.settings()),
                        agents,
                        new NodeLiveness(views, clock, proposals, agents, at.monotonicNanos()),
                        scheduling,
                        new Deadlines(views, clock, commit, proposals)),
                at.onFault());
        applyLoop.onLeadership(leadership -> clock.lead(leadership.leading()));
        applyLoop.onLeadership(duties::leadershipChanged);
    }

    /** Lets the leader duties see that time passed or something was applied. On the leader loop. */
    public void poll() {
        duties.poll();
    }

    public ApplyLoop applyLoop() {
        return applyLoop;
    }

    public ClusterClock clock() {
        return clock;
    }

    public ReplicatedLog log() {
        return log;
    }

    public ReadIndexRounds readIndex() {
        return readIndex;
    }

    public GroupCommit commit() {
        return commit;
    }

    public AgentHub agents() {
        return agents;
    }

    public SchedulingLoop scheduling() {
        return scheduling;
    }

    public WatchFeed watchFeed() {
        return watchFeed;
    }
}
