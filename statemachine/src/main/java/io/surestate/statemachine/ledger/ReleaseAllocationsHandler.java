package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationRef;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.ReleaseAllocations;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The owner of named allocations lets go of them: nothing uses them any more. What is gone already is no error; a stale epoch, a task's
 * place or somebody else's is, and then nothing is released. Letting go of one place of a nominated gang lets go of all of them.
 */
public final class ReleaseAllocationsHandler {
    public Outcome decide(Draft draft, Caller caller, ReleaseAllocations command) {
        Map<String, Allocation> meant = new TreeMap<>();
        draft.state()
                .named(caller.tenant(), command.getName())
                .forEach(allocation -> meant.put(allocation.getId(), allocation));
        for (AllocationRef ref : command.getAllocationsList()) {
            Optional<Allocation> found = draft.state().allocation(ref.getNode(), ref.getId());
            if (found.isPresent() && found.get().getEpoch() != ref.getEpoch()) {
                return Outcomes.rejected(
                        ErrorCode.ERROR_CODE_STALE_EPOCH,
                        "epoch of allocation " + ref.getId(),
                        Long.toString(ref.getEpoch()),
                        Long.toString(found.get().getEpoch()));
            }
            found.ifPresent(allocation -> meant.put(allocation.getId(), allocation));
            found.filter(Nominations::isNomination)
                    .filter(allocation -> !allocation.hasTask())
                    .ifPresent(allocation -> Nominations.gangOf(draft.state(), allocation)
                            .forEach(member -> meant.put(member.getId(), member)));
        }
        return meant.values().stream()
                .flatMap(allocation -> refusal(caller, allocation).stream())
                .findFirst()
                .orElseGet(() -> release(draft, meant.values()));
    }

    private static Outcome release(Draft draft, Collection<Allocation> meant) {
        meant.forEach(allocation -> draft.release(allocation, "released by its owner"));
        return Outcomes.released(meant.size());
    }

    private static Optional<Outcome> refusal(Caller caller, Allocation allocation) {
        String what = "allocation " + allocation.getId();
        if (!caller.mayTouch(allocation.getTenant())) {
            return refused(ErrorCode.ERROR_CODE_PERMISSION_DENIED, what, "of another tenant", "one of your own");
        }
        if (allocation.hasTask()) {
            return refused(
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                    what,
                    "of a task",
                    "a named one; a task's ends with its task: cancel the job, or evict it by a plan");
        }
        return allocation.getState() == AllocationState.ALLOCATION_STATE_HELD
                ? refused(
                        ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                        what,
                        "HELD",
                        "one that no hold keeps; release hold " + allocation.getHold())
                : Optional.empty();
    }

    private static Optional<Outcome> refused(ErrorCode code, String what, String value, String expected) {
        return Optional.of(Outcomes.rejected(code, what, value, expected));
    }
}
