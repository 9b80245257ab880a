package io.surestate.sim.nodes;

import io.surestate.api.Names;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.scheduler.PendingGang;
import io.surestate.scheduler.PoolScheduler;
import io.surestate.scheduler.Schedule;
import io.surestate.scheduler.policy.Policies;
import io.surestate.scheduler.queue.ProcessorPool;
import io.surestate.scheduler.queue.QueuedJob;
import io.surestate.scheduler.queue.Reservation;
import io.surestate.sim.batch.Machine;
import io.surestate.sim.cluster.CoreOffers;
import io.surestate.sim.cluster.VirtualCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A cluster of nodes as the machine of a replay. A job fits where the scheduler finds places for all of its gang; it is submitted, and its plan
 * committed, when it is taken, and reported as ended when it is released. When the head of the queue will fit is reckoned by counting
 * accelerators alone: a gang that insists on one domain may find its room later than that. Used by one thread.
 */
public final class NodeMachine implements Machine {
    private static final String POLICY = "surestate";
    private static final long SECOND_MILLIS = 1_000;

    private final GangCluster room;
    private final GangForm form;
    private final int roomiest;
    private final VirtualCluster cluster;
    private final CoreOffers offers = new CoreOffers();
    private final PoolScheduler scheduler;
    private final ProcessorPool counted;
    private final GangMeasures measures;
    private final Map<Long, Running> running = new LinkedHashMap<>();
    /** Sizes of gangs that found no place since something was released; there is only less room since. */
    private final TreeSet<Integer> fruitless = new TreeSet<>();

    /** Nodes that changed since the scheduler looked. */
    private final TreeSet<String> changed = new TreeSet<>();

    private Optional<Found> found = Optional.empty();

    private record Running(String uid, List<String> nodes) {}

    private record Found(long job, GangPlacement gang) {}

    /** @param predicting whether predicted run times tell when running jobs end, rather than requested ones */
    public NodeMachine(GangCluster room, GangForm form, boolean predicting) {
        this.room = room;
        this.form = form;
        this.roomiest = room.roomiest(form.pack());
        this.cluster = room.begin();
        this.scheduler = new PoolScheduler(
                Names.SCHEDULER_DEFAULT, new Policies().named(POLICY).orElseThrow(), new SplittableRandom(1));
        this.counted = new ProcessorPool(room.total(), predicting);
        List<String> levels = room.levels();
        String innermost = levels.isEmpty() ? "" : levels.get(levels.size() - 1);
        this.measures = new GangMeasures(room, form.pack().isEmpty() ? innermost : form.pack());
    }

    @Override
    public int total() {
        return counted.total();
    }

    @Override
    public int free() {
        return counted.free();
    }

    @Override
    public int freeAtMost() {
        return counted.freeAtMost();
    }

    @Override
    public boolean fits(QueuedJob job) {
        if (!counted.fits(job) || fruitless.contains(job.processors())) {
            return false;
        }
        found = place(job);
        if (found.isEmpty()) {
            fruitless.add(job.processors());
        }
        return found.isPresent();
    }

    private Optional<Found> place(QueuedJob job) {
        Job asked = asked(job);
        PendingGang gang = new PendingGang(asked.getName(), 1, 1, asked.getSpec());
        Schedule schedule = scheduler.place(offers.of(cluster.state(), changed), List.of(gang));
        changed.clear();
        return schedule.plan().getGangsList().stream().findFirst().map(placed -> new Found(job.id(), placed));
    }

    private Job asked(QueuedJob job) {
        return form.job("job-" + job.id(), room.kind(), job.processors(), roomiest);
    }

    @Override
    public void take(QueuedJob job, long now) {
        GangPlacement places = found.filter(last -> last.job == job.id())
                .or(() -> place(job))
                .orElseThrow(() -> new IllegalStateException("job " + job.id() + " does not fit"))
                .gang;
        found = Optional.empty();
        counted.take(job, now);
        cluster.advance(now * SECOND_MILLIS);
        Job submitted = cluster.submit(asked(job));
        cluster.commit(Plan.newBuilder()
                .setScheduler(Names.SCHEDULER_DEFAULT)
                .setSeenRevision(cluster.state().revision())
                .addGangs(places.toBuilder()
                        .setJobUid(submitted.getUid())
                        .setGeneration(submitted.getGeneration())
                        .setAttempt(submitted.getStatus().getAttempt()))
                .build());
        List<String> nodes =
                places.getPlacementsList().stream().map(Placement::getNode).toList();
        running.put(job.id(), new Running(submitted.getUid(), nodes));
        changed.addAll(nodes);
        measures.started(nodes, now);
    }

    @Override
    public Reservation reserve(QueuedJob head, long now) {
        return counted.reserve(head, now);
    }

    @Override
    public void release(QueuedJob job, long now) {
        Running ended = Optional.ofNullable(running.remove(job.id()))
                .orElseThrow(() -> new IllegalStateException("job " + job.id() + " does not run"));
        counted.release(job.id());
        cluster.advance(now * SECOND_MILLIS);
        cluster.finish(ended.uid);
        changed.addAll(ended.nodes);
        measures.ended(ended.nodes, now);
        fruitless.clear();
    }

    /** How gangs lay until now. */
    public GangOutcome outcome() {
        return measures.outcome();
    }
}
