package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.CommittedGang;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.HeldGang;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.Task;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.job.Departure;
import io.surestate.statemachine.job.JobPlaces;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One gang of a plan: checked against the state at this very index, then placed whole or not at all. Used once. */
final class GangCommit {
    private final Draft draft;
    private final GangPlacement gang;
    private final int position;
    private final Terms terms;
    private final AllocationState state;
    private final Conflicts conflicts;

    private GangCommit(Draft draft, GangPlacement gang, int position, Terms terms, AllocationState state) {
        this.draft = draft;
        this.gang = gang;
        this.position = position;
        this.terms = terms;
        this.state = state;
        this.conflicts = new Conflicts(position, gang.getJobUid());
    }

    /** What a gang came to: it is committed, or something stands against it. */
    record Result(Optional<CommittedGang> committed, List<PlanConflict> conflicts) {}

    /** Commits the gang into the draft; where there are conflicts the draft is as it was. */
    static Result commit(Draft draft, GangPlacement gang, int position, Terms terms) {
        if (!gang.getMove().isEmpty()) {
            return attempt(draft, gang, position, terms, AllocationState.ALLOCATION_STATE_NOMINATED);
        }
        Result placed = attempt(draft, gang, position, terms, terms.state());
        boolean onlyTaken =
                placed.conflicts.stream().allMatch(conflict -> conflict.getKind() == ConflictKind.CONFLICT_KIND_TAKEN);
        return !placed.conflicts.isEmpty() && onlyTaken && gang.getNominate() && !runs(draft, gang)
                ? attempt(draft, gang, position, terms, AllocationState.ALLOCATION_STATE_NOMINATED)
                : placed;
    }

    /** A running job goes on as it is: more places are had at once or not at all. */
    private static boolean runs(Draft draft, GangPlacement gang) {
        return draft.state()
                .job(gang.getJobUid())
                .filter(entry -> entry.job().getStatus().getPhase() == JobPhase.JOB_PHASE_RUNNING)
                .isPresent();
    }

    private static Result attempt(Draft draft, GangPlacement gang, int position, Terms terms, AllocationState state) {
        Draft branch = draft.branch();
        Result result = new GangCommit(branch, gang, position, terms, state).run();
        if (result.conflicts.isEmpty()) {
            draft.take(branch);
        }
        return result;
    }

    private Result run() {
        boolean moves = !gang.getMove().isEmpty();
        Evictor evictor = new Evictor(draft, conflicts, terms);
        if (!moves) {
            gang.getEvictionsList().forEach(evictor::evict);
        }
        int first = draft.nextOrdinal();
        if (moves) {
            withJob(this::move);
        } else if (gang.getPlacementsCount() > 0) {
            place();
        } else if (gang.getEvictionsCount() == 0) {
            conflicts.add(ConflictKind.CONFLICT_KIND_CLAIM, "gang", "empty", "placements or evictions");
        }
        if (!conflicts.none()) {
            return new Result(Optional.empty(), conflicts.list());
        }
        CommittedGang done = CommittedGang.newBuilder()
                .setGang(position)
                .setJobUid(gang.getJobUid())
                .setName(gang.getName())
                .setFirstOrdinal(first)
                .setAllocations(gang.getPlacementsCount())
                .setState(gang.getPlacementsCount() == 0 ? AllocationState.ALLOCATION_STATE_UNSPECIFIED : state)
                .build();
        return new Result(Optional.of(done), List.of());
    }

    private void place() {
        if (gang.getJobUid().isEmpty()) {
            placeNamed();
            return;
        }
        withJob(entry -> {
            new GangCheck(conflicts).check(entry.job(), asked(), terms.scheduler(), terms.caller(), draft.timeMillis());
            if (conflicts.none()) {
                placeTasks(entry);
            }
        });
    }

    private void withJob(Consumer<JobEntry> work) {
        draft.state()
                .job(gang.getJobUid())
                .ifPresentOrElse(
                        work,
                        () -> conflicts.add(
                                ConflictKind.CONFLICT_KIND_NOT_FOUND, "job", gang.getJobUid(), "a live job"));
    }

    private HeldGang asked() {
        return HeldGang.newBuilder()
                .setJobUid(gang.getJobUid())
                .setGeneration(gang.getGeneration())
                .setAttempt(gang.getAttempt())
                .build();
    }

    private void move(JobEntry entry) {
        new GangCheck(conflicts).checkMove(entry.job(), asked(), terms.scheduler(), terms.caller());
        GangMove move = new GangMove(draft, entry, conflicts);
        List<Task> leaving = conflicts.none() ? move.leaving(gang.getEvictionsList()) : List.of();
        if (!conflicts.none()) {
            return;
        }
        if (gang.getPlacementsCount() == 0) {
            move.withWhatItHas(leaving, gang.getMove());
        } else {
            Departure.whole(draft, gang.getJobUid(), gang.getMove());
            placeTasks(draft.state().job(gang.getJobUid()).orElseThrow());
        }
    }

    private void placeNamed() {
        List<Allocation> present = draft.state().named(terms.caller().tenant(), gang.getName());
        if (gang.getName().isEmpty()) {
            conflicts.add(ConflictKind.CONFLICT_KIND_NAME, "name", "", "the name of a gang that has no job");
        } else if (!present.isEmpty()) {
            Allocation holder = present.get(0);
            boolean own = holder.getId().compareTo(terms.firstOwnId()) >= 0;
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_NAME,
                    "name",
                    gang.getName(),
                    own
                            ? "a name for each gang of the plan"
                            : "one that no live allocation of tenant "
                                    + terms.caller().tenant() + " has; " + holder.getId() + " has it since revision "
                                    + holder.getEpoch());
        } else {
            new Placer(draft, terms, state, conflicts).named(gang);
        }
    }

    private void placeTasks(JobEntry entry) {
        List<Allocation> places = new Placer(draft, terms, state, conflicts).tasks(gang, entry);
        if (!conflicts.none()) {
            return;
        }
        switch (state) {
            case ALLOCATION_STATE_BOUND -> JobPlaces.bind(draft, entry, places);
            case ALLOCATION_STATE_NOMINATED -> {
                // One that moves is nominated when its present places are empty.
                if (gang.getMove().isEmpty()) {
                    JobPlaces.nominate(draft, entry.job(), places);
                }
            }
            default -> {
                // A held job goes on waiting until the hold is confirmed.
            }
        }
    }
}
