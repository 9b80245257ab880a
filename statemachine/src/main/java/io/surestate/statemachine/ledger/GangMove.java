package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationRef;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.Eviction;
import io.surestate.api.v1.Task;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.job.Departure;
import io.surestate.statemachine.job.Tasks;
import io.surestate.statemachine.state.JobEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A running gang that leaves some of its places. Used once. */
final class GangMove {
    private final Draft draft;
    private final JobEntry entry;
    private final Conflicts conflicts;

    GangMove(Draft draft, JobEntry entry, Conflicts conflicts) {
        this.draft = draft;
        this.entry = entry;
        this.conflicts = conflicts;
    }

    /** The tasks that have these places; adds what is wrong with each. */
    List<Task> leaving(List<Eviction> evictions) {
        List<Task> leaving = new ArrayList<>();
        for (Eviction eviction : evictions) {
            task(eviction.getAllocation()).ifPresent(leaving::add);
        }
        if (evictions.isEmpty()) {
            conflicts.add(ConflictKind.CONFLICT_KIND_CLAIM, "evictions", "none", "the places that the gang leaves");
        }
        return leaving;
    }

    private Optional<Task> task(AllocationRef ref) {
        Optional<Allocation> place = draft.state()
                .allocation(ref.getNode(), ref.getId())
                .filter(found -> found.getEpoch() == ref.getEpoch())
                .filter(found -> found.getState() == AllocationState.ALLOCATION_STATE_BOUND && found.hasTask());
        Optional<Task> task = place.filter(
                        found -> found.getTask().getJobUid().equals(entry.job().getUid()))
                .flatMap(found ->
                        entry.task(found.getTask().getGroup(), found.getTask().getIndex()));
        if (task.isEmpty()) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_NOT_FOUND,
                    ref.getNode(),
                    "allocation " + ref.getId(),
                    ref.getId(),
                    "a BOUND allocation of the job, in epoch " + ref.getEpoch());
        }
        return task;
    }

    /** Without new places: the tasks leave, or go to spare places; adds a conflict where neither can be. */
    void withWhatItHas(List<Task> leaving, String reason) {
        if (!Departure.withoutNewPlaces(draft, leaving, reason)) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_JOB,
                    "task",
                    Tasks.label(leaving.get(0)),
                    "a spare place for it, or a gang that can do without");
        }
    }
}
