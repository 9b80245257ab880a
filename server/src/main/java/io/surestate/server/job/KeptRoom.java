package io.surestate.server.job;

import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Placement;
import io.surestate.scheduler.PendingGang;
import io.surestate.scheduler.Scheduler;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.NodeEntry;
import io.surestate.statemachine.state.PendingJob;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Room for the first job that has waited long: nodes on which it would fit if they were empty, those first on which least is held. Nothing that
 * stands behind it in the line is placed there until it starts, so that what runs there makes room for it sooner or later. One job at a time.
 * Soft: a new leader chooses again. Leader loop only.
 */
final class KeptRoom {
    private static final int TRIED_MAX = 8;

    private final Scheduler scheduler;
    private Optional<PendingJob> owner = Optional.empty();
    private Set<String> nodes = Set.of();
    private Optional<PendingJob> tried = Optional.empty();

    /** The scheduler is used for this alone. */
    KeptRoom(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void forget() {
        owner = Optional.empty();
        nodes = Set.of();
        tried = Optional.empty();
    }

    /** Names of the nodes that are kept. */
    Set<String> nodes() {
        return nodes;
    }

    /** Whose the room is. */
    Optional<String> ownerUid() {
        return owner.map(PendingJob::uid);
    }

    /** Whether a job stands before or is the one that the room is kept for. */
    boolean isOpenTo(PendingJob job) {
        return owner.map(kept -> job.compareTo(kept) <= 0).orElse(true);
    }

    /** Gives up what nobody waits for any more, and looks for room if none is kept. */
    void look(StateView view, long nowMillis) {
        boolean stands = owner.flatMap(kept -> view.state().job(kept.uid()))
                        .filter(entry -> entry.job().getStatus().getPhase() == JobPhase.JOB_PHASE_PENDING)
                        .isPresent()
                && nodes.stream().allMatch(name -> usable(view, name));
        if (!stands) {
            owner = Optional.empty();
            nodes = Set.of();
            find(view, nowMillis);
        }
    }

    /** Goes on behind those that were tried at the last look and would not fit on empty nodes either. */
    private void find(StateView view, long nowMillis) {
        SortedSet<PendingJob> rest = tried.map(last -> view.state().pending().tailSet(last))
                .orElseGet(() -> view.state().pending());
        List<PendingJob> next = rest.stream()
                .filter(job -> tried.filter(job::equals).isEmpty())
                .filter(job -> waitsLong(view, job, nowMillis))
                .limit(TRIED_MAX)
                .toList();
        Optional<Room> found =
                next.stream().flatMap(job -> room(view, job).stream()).findFirst();
        found.ifPresent(this::keep);
        tried = found.isPresent() || next.isEmpty() ? Optional.empty() : Optional.of(next.get(next.size() - 1));
    }

    private static boolean usable(StateView view, String name) {
        return view.state().node(name).filter(NodeEntry::schedulable).isPresent();
    }

    /** Cluster time at which a pending job has waited long. */
    static long longAtMillis(StateView view, PendingJob next) {
        Job job = view.state().job(next.uid()).orElseThrow().job();
        return job.getCreatedMillis() + view.state().meta().getSettings().getKeepRoomAfterMillis();
    }

    /** Whether a job of the server's own scheduler has waited so long, and may start now. */
    static boolean waitsLong(StateView view, PendingJob next, long nowMillis) {
        Job job = view.state().job(next.uid()).orElseThrow().job();
        return job.getSpec().getScheduler().equals(SchedulingLoop.SCHEDULER)
                && longAtMillis(view, next) <= nowMillis
                && job.getStatus().getNotBeforeMillis() <= nowMillis;
    }

    private record Room(PendingJob owner, Set<String> nodes) {}

    private void keep(Room room) {
        owner = Optional.of(room.owner());
        nodes = room.nodes();
    }

    private Optional<Room> room(StateView view, PendingJob next) {
        Job job = view.state().job(next.uid()).orElseThrow().job();
        List<JobSpec> ways = view.state().accelerators().alternatives(job.getSpec());
        if (ways.isEmpty()) {
            return Optional.empty();
        }
        PendingGang gang = new PendingGang(next.uid(), 1, 1, ways, List.of(), true);
        TreeSet<String> chosen = new TreeSet<>();
        scheduler.place(PlacementViews.emptied(view), List.of(gang)).plan().getGangsList().stream()
                .map(GangPlacement::getPlacementsList)
                .flatMap(List::stream)
                .map(Placement::getNode)
                .forEach(chosen::add);
        return chosen.isEmpty() ? Optional.empty() : Optional.of(new Room(next, chosen));
    }
}
