package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import java.util.Collection;
import org.pcollections.TreePSet;

/**
 * Finds the allocations of a hold, of a name, of a nominated job, and the spare places of a job. Immutable.
 *
 * @param entries by owner, then by node, then by id
 */
record AllocationIndex(TreePSet<Entry> entries) {
    static final AllocationIndex EMPTY = new AllocationIndex(TreePSet.empty());

    /** @param owner one of the keys below */
    record Entry(String owner, String node, String id) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byOwner = owner.compareTo(other.owner);
            int byNode = byOwner != 0 ? byOwner : node.compareTo(other.node);
            return byNode != 0 ? byNode : id.compareTo(other.id);
        }
    }

    static String ofHold(String hold) {
        return "hold/" + hold;
    }

    static String ofName(String tenant, String name) {
        return "name/" + tenant + "/" + name;
    }

    static String ofNominatedJob(String uid) {
        return "nominated/" + uid;
    }

    static String ofSpares(String jobUid) {
        return "spares/" + jobUid;
    }

    /** As {@link #with(Allocation)}, where the hold that it belonged to may be another one than before. */
    AllocationIndex with(Allocation before, Allocation allocation) {
        return before.getHold().equals(allocation.getHold())
                ? with(allocation)
                : without(before).with(allocation);
    }

    /** As the allocation is now. What changes nothing of a live one's owners is cheap. */
    AllocationIndex with(Allocation allocation) {
        boolean named = allocation.getOwnerCase() == Allocation.OwnerCase.NAME;
        boolean listed = !allocation.getHold().isEmpty()
                || (!named && allocation.getState() != AllocationState.ALLOCATION_STATE_NOMINATED);
        AllocationIndex changed = listed ? without(allocation) : this;
        if (AllocationStates.isSpare(allocation)) {
            return changed.plus(ofSpares(allocation.getTask().getJobUid()), allocation);
        }
        if (allocation.getState() == AllocationState.ALLOCATION_STATE_HELD) {
            changed = changed.plus(ofHold(allocation.getHold()), allocation);
        }
        if (named) {
            changed = changed.plus(ofName(allocation.getTenant(), allocation.getName()), allocation);
        } else if (allocation.getState() == AllocationState.ALLOCATION_STATE_NOMINATED) {
            changed = changed.plus(ofNominatedJob(allocation.getTask().getJobUid()), allocation);
        }
        return changed;
    }

    AllocationIndex without(Allocation allocation) {
        AllocationIndex rest = this;
        if (!allocation.getHold().isEmpty()) {
            rest = rest.minus(ofHold(allocation.getHold()), allocation);
        }
        return allocation.getOwnerCase() == Allocation.OwnerCase.NAME
                ? rest.minus(ofName(allocation.getTenant(), allocation.getName()), allocation)
                : rest.minus(ofNominatedJob(allocation.getTask().getJobUid()), allocation)
                        .minus(ofSpares(allocation.getTask().getJobUid()), allocation);
    }

    private AllocationIndex plus(String owner, Allocation allocation) {
        return new AllocationIndex(entries.plus(entry(owner, allocation)));
    }

    private AllocationIndex minus(String owner, Allocation allocation) {
        Entry gone = entry(owner, allocation);
        return entries.isEmpty() || !entries.contains(gone) ? this : new AllocationIndex(entries.minus(gone));
    }

    Collection<Entry> of(String owner) {
        return entries.subSet(new Entry(owner, "", ""), new Entry(owner + '\0', "", ""));
    }

    private static Entry entry(String owner, Allocation allocation) {
        return new Entry(owner, allocation.getNode(), allocation.getId());
    }
}
