package io.surestate.statemachine.state;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import java.util.Collection;
import java.util.List;
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

    /** Under which owners an allocation is found, as it is; a task's that is bound or being released under none. */
    private static List<String> owners(Allocation allocation) {
        boolean held = allocation.getState() == AllocationState.ALLOCATION_STATE_HELD;
        if (allocation.getOwnerCase() == Allocation.OwnerCase.NAME) {
            String name = ofName(allocation.getTenant(), allocation.getName());
            return held ? List.of(ofHold(allocation.getHold()), name) : List.of(name);
        }
        String uid = allocation.getTask().getJobUid();
        if (AllocationStates.isSpare(allocation)) {
            return List.of(ofSpares(uid));
        }
        if (held) {
            return List.of(ofHold(allocation.getHold()));
        }
        return allocation.getState() == AllocationState.ALLOCATION_STATE_NOMINATED
                ? List.of(ofNominatedJob(uid))
                : List.of();
    }

    AllocationIndex with(Allocation added) {
        return new AllocationIndex(entries.plusAll(entries(added)));
    }

    /** A live allocation is another one now. */
    AllocationIndex with(Allocation before, Allocation now) {
        return owners(before).equals(owners(now)) ? this : without(before).with(now);
    }

    /** @param live as it stands in the ledger */
    AllocationIndex without(Allocation live) {
        return new AllocationIndex(entries.minusAll(entries(live)));
    }

    private static List<Entry> entries(Allocation allocation) {
        return owners(allocation).stream()
                .map(owner -> new Entry(owner, allocation.getNode(), allocation.getId()))
                .toList();
    }

    Collection<Entry> of(String owner) {
        return entries.subSet(new Entry(owner, "", ""), new Entry(owner + '\0', "", ""));
    }
}
