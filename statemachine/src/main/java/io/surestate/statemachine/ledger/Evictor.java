package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationRef;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.Eviction;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.job.Gang;
import io.surestate.statemachine.state.AllocationStates;
import java.util.Optional;

/** Makes room for a gang. What is evicted goes on counting until it is proven empty, or let go of by its owner. Used once. */
final class Evictor {
    private final Gang gang = new Gang();
    private final Draft draft;
    private final Conflicts conflicts;
    private final Terms terms;

    Evictor(Draft draft, Conflicts conflicts, Terms terms) {
        this.draft = draft;
        this.conflicts = conflicts;
        this.terms = terms;
    }

    /** Evicts, or adds what stands against it. Evicting what is being released already changes nothing. */
    void evict(Eviction eviction) {
        AllocationRef ref = eviction.getAllocation();
        Optional<Allocation> found = draft.state().allocation(ref.getNode(), ref.getId());
        if (found.isEmpty()) {
            refuse(ConflictKind.CONFLICT_KIND_NOT_FOUND, ref, ref.getId(), "a live allocation");
        } else if (found.get().getEpoch() != ref.getEpoch()) {
            String epoch = Long.toString(found.get().getEpoch());
            refuse(ConflictKind.CONFLICT_KIND_EPOCH, ref, Long.toString(ref.getEpoch()), epoch);
        } else if (!terms.caller().mayTouch(found.get().getTenant())) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_TENANT,
                    ref.getNode(),
                    "tenant of allocation " + ref.getId(),
                    terms.caller().tenant(),
                    found.get().getTenant());
        } else if (found.get().getState() == AllocationState.ALLOCATION_STATE_HELD
                && !AllocationStates.isSpare(found.get())) {
            refuse(ConflictKind.CONFLICT_KIND_TAKEN, ref, "HELD", "no hold; it ends by its owner or in time");
        } else {
            evict(found.get(), reason(eviction));
        }
    }

    private void evict(Allocation allocation, String reason) {
        switch (allocation.getState()) {
            case ALLOCATION_STATE_HELD -> draft.release(allocation, "spare place evicted: " + reason);
            case ALLOCATION_STATE_NOMINATED -> Nominations.withdraw(draft, allocation, reason);
            case ALLOCATION_STATE_BOUND -> {
                if (allocation.hasTask()) {
                    gang.preempt(draft, allocation.getTask(), reason);
                } else {
                    draft.move(allocation, AllocationState.ALLOCATION_STATE_RELEASING, "evicted: " + reason);
                }
            }
            default -> {
                // RELEASING: it is on its way already.
            }
        }
    }

    private String reason(Eviction eviction) {
        String by = "scheduler " + terms.scheduler();
        return eviction.getReason().isEmpty() ? by : by + ": " + eviction.getReason();
    }

    private void refuse(ConflictKind kind, AllocationRef ref, String value, String expected) {
        conflicts.add(kind, ref.getNode(), "allocation " + ref.getId(), value, expected);
    }
}
