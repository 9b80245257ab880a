package io.surestate.server;

import io.surestate.log.v1.InitCluster;
import io.surestate.scheduler.PoolScheduler;
import io.surestate.scheduler.Scheduler;
import io.surestate.scheduler.policy.Policies;
import io.surestate.server.api.Refused;
import io.surestate.server.apply.ApplyListeners;
import io.surestate.server.apply.ApplyLoop;
import io.surestate.server.apply.Views;
import io.surestate.server.commit.ClusterClock;
import io.surestate.server.commit.GroupCommit;
import io.surestate.server.job.Feasibility;
import io.surestate.server.job.Relocation;
import io.surestate.server.job.SchedulingLoop;
import io.surestate.server.leader.ClusterInit;
import io.surestate.server.leader.Deadlines;
import io.surestate.server.leader.LeaderDuties;
import io.surestate.server.leader.LeaderEnvironment;
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
import java.util.SplittableRandom;
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

    /** Places jobs: learns from those that came. */
    private static final String PLACEMENT_POLICY = "surestate";
    /** Asks only whether there is a place: learns nothing. */
    private static final String FEASIBILITY_POLICY = "bestfit";
    /** Only policies that draw use it; equal on every server, so that the same state gives the same plan. */
    private static final long DRAWS_FROM = 1;

    /**
     * Where a core lives.
     *
     * @param self this server's id
     * @param init written when the cluster is new: identity and settings
     * @param wallMillis seeds the time of a new cluster
     * @param monotonicNanos a clock that only goes forward
     * @param leaderLoop runs one thing at a time, in order
     * @param engineOpener opens the state from a snapshot folder, or empty
     * @param applied sees every applied entry, beside the core's own parts
     * @param notLeader what agents are told by a server that does not lead
     * @param onFault told when this server cannot go on
     */
    public record Environment(
            String self,
            InitCluster init,
            LongSupplier wallMillis,
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
    private final Relocation relocation;
    private final LeaderDuties duties;

    /** {@code openLog} gets the consumer of the log and gives back the log, not started yet. */
    public ServerCore(Environment at, Function<LogConsumer, ReplicatedLog> openLog) {
        clock = new ClusterClock(at.monotonicNanos());
        TouchedNodes touched = new TouchedNodes();
        applyLoop = new ApplyLoop(
                at.engineOpener(), ApplyListeners.of(clock, watchFeed, touched, at.applied()), at.onFault());
        log = openLog.apply(applyLoop);
        readIndex = new ReadIndexRounds(log::readIndex);
        Views views = applyLoop.views();
        commit = new GroupCommit(
                log, clock, FEATURE_LEVEL, () -> views.newest().state().initialised());
        LeaderEnvironment leading = new LeaderEnvironment(
                views, clock, new Proposals(commit, at.leaderLoop()), readIndex, at.leaderLoop(), at.monotonicNanos());
        agents = new AgentHub(leading, touched, () -> at.notLeader().apply(log), at.self());
        scheduling = new SchedulingLoop(
                leading, scheduler(PLACEMENT_POLICY), scheduler(FEASIBILITY_POLICY), agents.telemetry());
        relocation = new Relocation(leading, scheduler(FEASIBILITY_POLICY), scheduling, agents.telemetry());
        duties = new LeaderDuties(
                leading,
                List.of(
                        leading.proposals().duty(),
                        new ClusterInit(leading, at.wallMillis(), at.init()),
                        agents,
                        new NodeLiveness(leading, agents),
                        scheduling,
                        relocation,
                        new Deadlines(leading, commit)),
                at.onFault());
        applyLoop.onLeadership(leadership -> clock.lead(leadership.leading()));
        applyLoop.onLeadership(duties::leadershipChanged);
    }

    /** What tells whether a job could ever run here. */
    static Feasibility feasibility() {
        return new Feasibility(scheduler(FEASIBILITY_POLICY));
    }

    private static Scheduler scheduler(String policy) {
        return new PoolScheduler(
                SchedulingLoop.SCHEDULER, new Policies().named(policy).orElseThrow(), new SplittableRandom(DRAWS_FROM));
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

    public Relocation relocation() {
        return relocation;
    }

    public WatchFeed watchFeed() {
        return watchFeed;
    }
}
