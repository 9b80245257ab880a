package io.surestate.statemachine.ledger;

import io.surestate.api.Names;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.PlanConflict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What stands against one gang of a plan, collected while it is checked: at most one conflict for each placement. Used by one thread. */
final class Conflicts {
    private static final int ABOUT_THE_GANG = -1;

    private final int gang;
    private final String jobUid;
    private final List<PlanConflict> found = new ArrayList<>();
    private int placement = ABOUT_THE_GANG;

    /** @param gang position in the plan */
    Conflicts(int gang, String jobUid) {
        this.gang = gang;
        this.jobUid = jobUid;
    }

    /** What is added from now on is about this placement. */
    void aboutPlacement(int position) {
        placement = position;
    }

    void aboutTheGang() {
        placement = ABOUT_THE_GANG;
    }

    boolean none() {
        return found.isEmpty();
    }

    List<PlanConflict> list() {
        return Collections.unmodifiableList(found);
    }

    /** About the gang, its job or its name. */
    void add(ConflictKind kind, String what, String value, String expected) {
        add(kind, "", what, value, expected);
    }

    void add(ConflictKind kind, String node, String what, String value, String expected) {
        found.add(conflict(kind, node, what, value, expected).build());
    }

    /**
     * Something else has it.
     *
     * @param holder who; the default instance = nobody, or a placement of this very plan
     * @param since revision since which it is so
     */
    void taken(String node, String what, Amount amount, Allocation holder, long since) {
        String by = holder.getId().isEmpty() ? "" : ", held by " + holder.getId() + " of " + owner(holder);
        found.add(conflict(
                        ConflictKind.CONFLICT_KIND_TAKEN,
                        node,
                        what,
                        Long.toString(amount.asked()),
                        "at most " + amount.free() + ", which is free" + by)
                .setHolder(holder.getId())
                .setAsked(amount.asked())
                .setFree(amount.free())
                .setSinceRevision(since)
                .build());
    }

    void quarantined(String node, int ordinal) {
        add(ConflictKind.CONFLICT_KIND_QUARANTINED, node, "device " + ordinal, "quarantined", "a healthy device");
    }

    /** In thousandths, bytes or bit/s. */
    record Amount(long asked, long free) {}

    private PlanConflict.Builder conflict(ConflictKind kind, String node, String what, String value, String expected) {
        return PlanConflict.newBuilder()
                .setKind(kind)
                .setGang(gang)
                .setPlacement(placement)
                .setJobUid(jobUid)
                .setNode(node)
                .setWhat(what)
                .setMessage(Names.message(node.isEmpty() ? what : node + " " + what, value, expected));
    }

    private static String owner(Allocation holder) {
        return holder.hasTask()
                ? "job " + holder.getTask().getJobUid()
                : holder.getName() + " of tenant " + holder.getTenant();
    }
}
