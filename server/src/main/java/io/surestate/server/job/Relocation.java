package io.surestate.server.job;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationRef;
import io.surestate.api.v1.Eviction;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.Task;
import io.surestate.log.v1.CommitPlan;
import io.surestate.log.v1.Envelope;
import io.surestate.scheduler.PendingGang;
import io.surestate.scheduler.PlacementView;
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
import io.surestate.statemachine.decision.ApplyContext;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.job.Departure;
import io.surestate.statemachine.state.JobEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves gangs of the default scheduler away from where they must not stay, one after another, each in one command that stops it and promises it its other
 * places. Driven by what the state says alone, so that any leader goes on with it. A gang that has no other place runs on and is tried again.
 * Leader loop only, but for {@link #reason} which any thread may ask.
 */
public final class Relocation implements LeaderDuty {
    private static final Logger LOG = LoggerFactory.getLogger(Relocation.class);
    private static final long LOOK_MILLIS = 500;
    private static final int TRIED_MAX = 8;
    /** A gang that moved because of how a node was doing stays at least so long where it went. */
    private static final long SETTLED_MILLIS = 600_000;

    private final Views views;
    private final ClusterClock clock;
    private final Proposals proposals;
    private final Scheduler scheduler;
    private final SchedulingLoop scheduling;
    private final TelemetryBoard telemetry;
    private final Map<String, String> reasons = new ConcurrentHashMap<>();
    /** Cluster time until which gangs are not moved again because of how a node is doing. */
    private final Map<String, Long> settledUntilMillis = new HashMap<>();

    private boolean inFlight;
    private long nextLookMillis;
    /** Where the next look goes on; empty = at the oldest gang. */
    private String lookedAt = "";

    /** @param scheduler used for this alone */
    public Relocation(LeaderEnvironment at, Scheduler scheduler, SchedulingLoop scheduling, TelemetryBoard telemetry) {
        this.views = at.views();
        this.clock = at.clock();
        this.proposals = at.proposals();
        this.scheduler = scheduler;
        this.scheduling = scheduling;
        this.telemetry = telemetry;
    }

    /** Why a gang that must leave is still there, as of the last look; empty if it was not looked at. */
    public Optional<String> reason(String jobUid) {
        return Optional.ofNullable(reasons.get(jobUid));
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
        settledUntilMillis.clear();
        inFlight = false;
        nextLookMillis = 0;
        lookedAt = "";
    }

    @Override
    public void poll() {
        if (inFlight || clock.millis() < nextLookMillis) {
            return;
        }
        StateView view = views.newest();
        settledUntilMillis.values().removeIf(until -> until <= clock.millis());
        List<Displaced> displaced = Displaced.in(view.state(), telemetry).stream()
                .filter(gang -> !gang.distressed() || !settledUntilMillis.containsKey(gang.jobUid()))
                .toList();
        Set<String> uids = displaced.stream().map(Displaced::jobUid).collect(Collectors.toSet());
        reasons.keySet().removeIf(uid -> !uids.contains(uid));
        List<Displaced> rest = displaced.stream()
                .filter(gang -> gang.jobUid().compareTo(lookedAt) > 0)
                .limit(TRIED_MAX)
                .toList();
        for (Displaced gang : rest) {
            lookedAt = gang.jobUid();
            Optional<GangPlacement> move = move(view, gang);
            if (move.isPresent()) {
                propose(view, gang, move.get());
                return;
            }
        }
        if (rest.size() < TRIED_MAX) {
            lookedAt = "";
        }
        nextLookMillis = clock.millis() + LOOK_MILLIS;
    }

    private Optional<GangPlacement> move(StateView view, Displaced gang) {
        JobEntry entry = view.state().job(gang.jobUid()).orElseThrow();
        Optional<String> hindrance = hindrance(view, entry);
        if (hindrance.isPresent()) {
            reasons.put(gang.jobUid(), hindrance.get());
            return Optional.empty();
        }
        GangPlacement.Builder move = GangPlacement.newBuilder()
                .setJobUid(gang.jobUid())
                .setGeneration(entry.job().getGeneration())
                .setAttempt(entry.job().getStatus().getAttempt())
                .setMove(gang.reason());
        gang.places().forEach(place -> move.addEvictions(eviction(place)));
        // Who leaves a hot node by what it has may be given a place there again.
        return !gang.distressed() && hasEnough(view, entry, gang)
                ? Optional.of(move.build())
                : elsewhere(view, entry, gang, move);
    }

    private static Optional<String> hindrance(StateView view, JobEntry entry) {
        Job job = entry.job();
        if (job.getStatus().getPhase() != JobPhase.JOB_PHASE_RUNNING) {
            return Optional.of("it is being stopped");
        }
        if (!job.getSpec().getScheduler().equals(SchedulingLoop.SCHEDULER)) {
            return Optional.of("its scheduler, " + job.getSpec().getScheduler() + ", moves it");
        }
        return entry.tasks().stream()
                .filter(task -> !task.getNode().isEmpty())
                .flatMap(task -> view.state().node(task.getNode()).stream())
                .filter(node -> !node.ready())
                .findFirst()
                .map(node -> "node " + node.node().getName() + ", where its other tasks are, does not answer");
    }

    private static Eviction eviction(Allocation place) {
        return Eviction.newBuilder()
                .setAllocation(AllocationRef.newBuilder()
                        .setNode(place.getNode())
                        .setId(place.getId())
                        .setEpoch(place.getEpoch()))
                .build();
    }

    /** Whether it can do without those tasks, or has spare places for them: tried on the state at hand. */
    private boolean hasEnough(StateView view, JobEntry entry, Displaced gang) {
        Draft trial = new Draft(view.state(), new ApplyContext(view.revision() + 1, view.term(), clock.millis(), 0));
        List<Task> leaving = gang.places().stream()
                .flatMap(place ->
                        entry.task(place.getTask().getGroup(), place.getTask().getIndex()).stream())
                .toList();
        return Departure.withoutNewPlaces(trial, leaving, gang.reason());
    }

    private Optional<GangPlacement> elsewhere(
            StateView view, JobEntry entry, Displaced gang, GangPlacement.Builder move) {
        Job job = entry.job();
        List<JobSpec> ways = view.state().accelerators().alternatives(job.getSpec());
        PendingGang pending = new PendingGang(
                job.getUid(), job.getGeneration(), job.getStatus().getAttempt(), ways, List.of(), false);
        PlacementView room = PlacementViews.without(view, telemetry, scheduling.keptNodes(), entry);
        Schedule schedule = scheduler.place(gang.distressed() ? withoutDistressed(room) : room, List.of(pending));
        if (schedule.plan().getGangsCount() == 0) {
            reasons.put(
                    job.getUid(),
                    "no other place: " + schedule.reasons().getOrDefault(job.getUid(), "nothing is free"));
            return Optional.empty();
        }
        return Optional.of(move.addAllPlacements(schedule.plan().getGangs(0).getPlacementsList())
                .build());
    }

    private PlacementView withoutDistressed(PlacementView room) {
        return new PlacementView(
                room.revision(),
                room.nodes().stream()
                        .filter(offer -> telemetry.distress(offer.name()).isEmpty())
                        .toList(),
                room.kept());
    }

    private void propose(StateView view, Displaced gang, GangPlacement move) {
        LOG.info(
                "action=move-job job={} reason=\"{}\" places={}",
                gang.jobUid(),
                gang.reason(),
                move.getPlacementsCount());
        inFlight = true;
        if (gang.distressed()) {
            settledUntilMillis.put(gang.jobUid(), clock.millis() + SETTLED_MILLIS);
        }
        reasons.remove(gang.jobUid());
        Plan plan = Plan.newBuilder()
                .setScheduler(SchedulingLoop.SCHEDULER)
                .setSeenRevision(view.revision())
                .setMode(PlanMode.PLAN_MODE_PER_GROUP)
                .addGangs(move)
                .build();
        proposals.propose(
                Envelope.newBuilder().setCommitPlan(CommitPlan.newBuilder().setPlan(plan)), this::proposed);
    }

    private void proposed(@Nullable CommandOutcome committed, @Nullable Throwable failure) {
        inFlight = false;
        List<PlanConflict> conflicts = new ArrayList<>();
        if (committed != null) {
            conflicts.addAll(committed.outcome().getPlan().getConflictsList());
            conflicts.forEach(conflict -> reasons.put(conflict.getJobUid(), conflict.getMessage()));
        }
        boolean done = committed != null && !committed.outcome().hasRejected() && conflicts.isEmpty();
        if (!done) {
            LOG.warn(
                    "action=move-job result=refused reason=\"{}\"",
                    committed == null ? String.valueOf(failure) : conflicts);
            nextLookMillis = clock.millis() + LOOK_MILLIS;
        }
    }
}
