package io.surestate.server.job;

import io.surestate.api.GroupSize;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.TaskState;
import io.surestate.log.v1.CommitPlan;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.scheduler.PendingGang;
import io.surestate.scheduler.Schedule;
import io.surestate.scheduler.Scheduler;
import io.surestate.server.apply.Views;
import io.surestate.server.commit.ClusterClock;
import io.surestate.server.commit.CommandOutcome;
import io.surestate.server.leader.LeaderDuty;
import io.surestate.server.leader.LeaderEnvironment;
import io.surestate.server.leader.Proposals;
import io.surestate.server.node.TelemetryBoard;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.ledger.Cordons;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.PendingJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places pending gangs of the default scheduler: one plan at a time, committed as one command, then the next from the state that it made.
 * Leader loop only, but for {@link #reason} which any thread may ask.
 */
public final class SchedulingLoop implements LeaderDuty {
    /** The scheduler name that this loop serves. */
    public static final String SCHEDULER = Names.SCHEDULER_DEFAULT;

    private static final Logger LOG = LoggerFactory.getLogger(SchedulingLoop.class);
    private static final int GANGS_PER_PLAN_MAX = 256;
    private static final int GROWING_MAX = 64;
    private static final long LOOK_MILLIS = 500;
    private static final String NO_MORE =
            "more tasks: there is no room where its topology allows, or jobs that wait come first";

    private final Views views;
    private final ClusterClock clock;
    private final Proposals proposals;
    private final Scheduler scheduler;
    private final TelemetryBoard telemetry;
    private final KeptRoom kept;
    private final Map<String, String> reasons = new ConcurrentHashMap<>();
    private boolean planInFlight;
    private long nextLookMillis;
    /** Where the next look goes on: gangs that cannot be placed must not hide those behind them. */
    private Optional<PendingJob> lookedAt = Optional.empty();
    /** Revision at which the present pass over the pending gangs began. */
    private long passRevision = -1;
    /** Revision of the last pass that placed nothing; nothing new can fit before something changes. */
    private long fruitlessRevision = -1;
    /** Cluster time at which the next backoff ends, or a job has waited so long that it no longer keeps others from growing. */
    private long nextBackoffMillis = Long.MAX_VALUE;

    /** @param ofRooms a scheduler for the choice of rooms that are kept, used for this alone */
    public SchedulingLoop(LeaderEnvironment at, Scheduler scheduler, Scheduler ofRooms, TelemetryBoard telemetry) {
        this.views = at.views();
        this.clock = at.clock();
        this.proposals = at.proposals();
        this.scheduler = scheduler;
        this.telemetry = telemetry;
        this.kept = new KeptRoom(ofRooms);
    }

    /** Why a job waits, or a running gang for more tasks, as of the last look; empty if it was not looked at yet. */
    public Optional<String> reason(String jobUid) {
        return Optional.ofNullable(reasons.get(jobUid));
    }

    /** Names of the nodes that are kept for a job that waits long. */
    Set<String> keptNodes() {
        return kept.nodes();
    }

    @Override
    public void begin(long term) {
        forget();
    }

    @Override
    public void end() {
        forget();
    }

    private void forget() {
        reasons.clear();
        planInFlight = false;
        kept.forget();
        nextLookMillis = 0;
        startPass(-1);
    }

    private void startPass(long revision) {
        lookedAt = Optional.empty();
        passRevision = revision;
        fruitlessRevision = -1;
        nextBackoffMillis = Long.MAX_VALUE;
    }

    @Override
    public void poll() {
        StateView view = views.newest();
        keepRoom(view);
        boolean nothingNew = view.revision() == fruitlessRevision && clock.millis() < nextBackoffMillis;
        if (planInFlight || nothingNew) {
            return;
        }
        if (lookedAt.isEmpty()) {
            startPass(view.revision());
            reasons.keySet().removeIf(uid -> !waits(view, uid));
        }
        List<PendingGang> gangs = nextGangs(view);
        boolean passOver = gangs.isEmpty();
        List<PendingGang> next = passOver ? growing(view) : gangs;
        Schedule schedule = next.isEmpty()
                ? Schedule.NOTHING
                : scheduler.place(PlacementViews.of(view, telemetry, kept.nodes()), next);
        String cordoned = schedule.reasons().isEmpty() ? "" : Cordons.words(view.state());
        schedule.reasons()
                .forEach((uid, why) ->
                        reasons.put(uid, why + keptFor(view, uid) + (cordoned.isEmpty() ? "" : "; " + cordoned)));
        if (schedule.plan().getGangsCount() > 0) {
            lookedAt = Optional.empty();
            planInFlight = true;
            proposals.propose(
                    Envelope.newBuilder().setCommitPlan(CommitPlan.newBuilder().setPlan(schedule.plan())),
                    this::planned);
        } else if (passOver) {
            view.state().growing().forEach(more -> reasons.put(more.uid(), NO_MORE));
            fruitlessRevision = passRevision;
            lookedAt = Optional.empty();
        }
    }

    /** What of the cluster a waiting gang may not have now, in words; empty = nothing. */
    private String keptFor(StateView view, String uid) {
        return kept.ownerUid()
                .filter(owner -> !owner.equals(uid))
                .flatMap(owner -> view.state().job(owner))
                .map(owner -> "; " + kept.nodes().size() + " nodes are kept for job "
                        + owner.job().getName() + ", which waits longer")
                .orElse("");
    }

    /** Now and then, and only while something waits. */
    private void keepRoom(StateView view) {
        boolean due = clock.millis() >= nextLookMillis;
        if (due
                && !planInFlight
                && (!view.state().pending().isEmpty() || kept.ownerUid().isPresent())) {
            Set<String> before = kept.nodes();
            kept.look(view, clock.millis());
            nextLookMillis = clock.millis() + LOOK_MILLIS;
            if (!before.equals(kept.nodes())) {
                fruitlessRevision = -1;
            }
        }
    }

    /**
     * Gangs that run and want more tasks, once nothing that waits has room: never before a job of the same or a higher priority that may start and has not
     * waited long. After that room is kept for it if it could have any.
     */
    private List<PendingGang> growing(StateView view) {
        if (view.state().growing().isEmpty()) {
            return List.of();
        }
        long now = clock.millis();
        Optional<PendingJob> first = view.state().pending().stream()
                .filter(next -> maySoonStart(view, next, now))
                .findFirst();
        int waiting = first.map(PendingJob::priority).orElse(Integer.MIN_VALUE);
        first.ifPresent(next -> nextBackoffMillis = Math.min(nextBackoffMillis, KeptRoom.longAtMillis(view, next)));
        return view.state().growing().stream()
                .takeWhile(next -> next.priority() > waiting)
                .map(next -> view.state().job(next.uid()).orElseThrow())
                .filter(entry -> entry.job().getSpec().getScheduler().equals(SCHEDULER))
                .limit(GROWING_MAX)
                .map(entry -> more(view, entry))
                .filter(gang -> !gang.ways().isEmpty())
                .toList();
    }

    private static boolean maySoonStart(StateView view, PendingJob next, long nowMillis) {
        Job job = view.state().job(next.uid()).orElseThrow().job();
        return job.getSpec().getScheduler().equals(SCHEDULER)
                && job.getStatus().getNotBeforeMillis() <= nowMillis
                && !KeptRoom.waitsLong(view, next, nowMillis);
    }

    private PendingGang more(StateView view, JobEntry entry) {
        List<PendingGang.Joined> joined = entry.tasks().stream()
                .filter(task -> task.getState() != TaskState.TASK_STATE_PENDING)
                .map(task -> new PendingGang.Joined(task.getGroup(), task.getIndex(), task.getNode()))
                .toList();
        return gang(view, entry.job(), joined, kept.ownerUid().isEmpty());
    }

    /** Without any way where no model in the cluster's table can serve it. */
    private static PendingGang gang(StateView view, Job job, List<PendingGang.Joined> joined, boolean mayTakeKept) {
        List<JobSpec> ways = view.state().accelerators().alternatives(job.getSpec());
        return new PendingGang(
                job.getUid(), job.getGeneration(), job.getStatus().getAttempt(), ways, joined, mayTakeKept);
    }

    /** Whether it waits for places, all of them or some. */
    private static boolean waits(StateView view, String uid) {
        return view.state()
                .job(uid)
                .map(entry -> entry.job().getStatus().getPhase() == JobPhase.JOB_PHASE_PENDING || entry.wantsMore())
                .orElse(false);
    }

    private void planned(@Nullable CommandOutcome committed, @Nullable Throwable failure) {
        planInFlight = false;
        if (committed == null) {
            LOG.warn("action=commit-plan result=failed reason=\"{}\"", String.valueOf(failure));
            return;
        }
        Outcome outcome = committed.outcome();
        if (outcome.hasRejected()) {
            LOG.warn(
                    "action=commit-plan result=rejected reason=\"{}\"",
                    outcome.getRejected().getMessage());
        }
        for (PlanConflict conflict : outcome.getPlan().getConflictsList()) {
            reasons.put(conflict.getJobUid(), conflict.getMessage());
        }
    }

    /** The next gangs in their order, up to one plan's worth; moves the mark past them. */
    private List<PendingGang> nextGangs(StateView view) {
        Collection<PendingJob> rest = lookedAt.isEmpty()
                ? view.state().pending()
                : view.state().pending().tailSet(lookedAt.get());
        List<PendingGang> gangs = new ArrayList<>();
        int placements = 0;
        long now = clock.millis();
        for (PendingJob next : rest) {
            Job job = view.state().job(next.uid()).orElseThrow().job();
            boolean already = lookedAt.filter(next::equals).isPresent();
            if (already || !job.getSpec().getScheduler().equals(SCHEDULER)) {
                continue;
            }
            if (job.getStatus().getNotBeforeMillis() > now) {
                nextBackoffMillis = Math.min(nextBackoffMillis, job.getStatus().getNotBeforeMillis());
                continue;
            }
            placements += GroupSize.places(job.getSpec());
            if (!gangs.isEmpty()
                    && (gangs.size() >= GANGS_PER_PLAN_MAX || placements > Limits.PLACEMENTS_PER_PLAN_MAX)) {
                break;
            }
            PendingGang gang = gang(view, job, List.of(), kept.isOpenTo(next));
            if (gang.ways().isEmpty()) {
                reasons.put(job.getUid(), UnitsReason.of(view.state().meta(), job.getSpec()));
            } else {
                gangs.add(gang);
            }
            lookedAt = Optional.of(next);
        }
        return gangs;
    }
}
