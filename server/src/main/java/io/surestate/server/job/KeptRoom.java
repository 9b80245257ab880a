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

    /** The scheduler is used for this alone. */
    KeptRoom(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void forget() {
        owner = Optional.empty();
        nodes = Set.of();
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
            forget();
            long before = nowMillis - view.state().meta().getSettings().getKeepRoomAfterMillis();
            view.state().pending().stream()
                    .filter(next -> waitsSince(view, next, before, nowMillis))
                    .limit(TRIED_MAX)
                    .flatMap(next -> room(view, next).stream())
                    .findFirst()
                    .ifPresent(this::keep);
        }
    }

    private static boolean usable(StateView view, String name) {
        return view.state().node(name).filter(NodeEntry::schedulable).isPresent();
    }

    private static boolean waitsSince(StateView view, PendingJob next, long before, long nowMillis) {
        Job job = view.state().job(next.uid()).orElseThrow().job();
        return job.getSpec().getScheduler().equals(SchedulingLoop.SCHEDULER)
                && job.getCreatedMillis() <= before
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
