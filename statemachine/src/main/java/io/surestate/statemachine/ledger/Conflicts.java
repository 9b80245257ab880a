package io.surestate.statemachine.ledger;

import io.surestate.api.Names;
import io.surestate.api.v1.PlanConflict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What stands against one gang of a plan, collected while it is checked. Used by one thread. */
final class Conflicts {
    private final String jobUid;
    private final List<PlanConflict> found = new ArrayList<>();

    Conflicts(String jobUid) {
        this.jobUid = jobUid;
    }

    boolean none() {
        return found.isEmpty();
    }

    List<PlanConflict> list() {
        return Collections.unmodifiableList(found);
    }

    /** About the job as a whole. */
    void add(String what, String value, String expected) {
        add("", what, value, expected, "");
    }

    /**
     * About one node.
     *
     * @param holder allocation that has what was asked for; empty = none, or one of this very plan
     */
    void add(String node, String what, String value, String expected, String holder) {
        found.add(PlanConflict.newBuilder()
                .setJobUid(jobUid)
                .setNode(node)
                .setWhat(what)
                .setMessage(Names.message(node.isEmpty() ? what : node + " " + what, value, expected))
                .setHolder(holder)
                .build());
    }
}
